import { beforeAll, expect, test } from 'vitest';
import { toTools } from '../../src/adapters/adk/index.ts';
import { createToolbox, defineTool, fail } from '../../src/index.ts';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { startSdk } from './sdk.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('2.12');
});

test("a call through ADK is recorded in the host's own span, once, with its error.type", async () => {
  // ADK has a copy of the API of its own: it must be loaded after the SDK is registered.
  const { BaseLlm, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } = await import('@google/adk');
  setLogLevel(LogLevel.ERROR + 1);
  /** Calls the tool in its first turn and ends in the second. */
  class OneCall extends BaseLlm {
    turns = 0;
    async *generateContentAsync() {
      this.turns += 1;
      const call = { functionCall: { id: 'c1', name: 'desk_book', args: {} } };
      yield { content: { role: 'model', parts: this.turns === 1 ? [call] : [{ text: 'done' }] } };
    }
    connect(): Promise<never> {
      return Promise.reject(new Error('not live'));
    }
  }
  const inner = defineTool({ name: 'inner', description: 'Works.', effects: 'none', run: () => 1 });
  const nested = createToolbox([inner], { telemetry: openTelemetry() });
  const book = defineTool({
    name: 'desk:book',
    description: 'Books.',
    effects: 'none',
    run: async () => {
      await nested.answer({ name: 'inner' });
      return fail('rate_limited', 'Too many bookings.');
    },
  });
  const toolbox = createToolbox([book], { telemetry: openTelemetry(), report: () => undefined });
  const agent = new LlmAgent({ name: 'clerk', model: new OneCall({ model: 'one-call' }), tools: toTools(toolbox) });
  const runner = new InMemoryRunner({ agent, appName: 'test' });
  const { id } = await runner.sessionService.createSession({ appName: 'test', userId: 'u' });
  await sdk.take();
  for await (const _ of runner.runAsync({ userId: 'u', sessionId: id, newMessage: { role: 'user', parts: [{ text: 'go' }] } }));
  const spans = (await sdk.take()).spans.filter(({ name }) => name.startsWith('execute_tool'));
  expect(spans.map(({ name }) => name).toSorted()).toEqual(['execute_tool desk_book', 'execute_tool inner']);
  const [own] = spans.filter(({ name }) => name === 'execute_tool desk_book');
  const [child] = spans.filter(({ name }) => name === 'execute_tool inner');
  expect(own).toMatchObject({ attributes: { 'error.type': 'rate_limited', 'gen_ai.tool.call.id': 'c1' }, status: { code: 2 } });
  expect(child?.parentSpanId).toBe(own?.spanId);
});
