import { AgentTool, BaseAgent, createEvent, type Event, InMemoryRunner, type InvocationContext, SequentialAgent } from '@google/adk';
import { preset } from '@toolpact/origins/flat';
import { createToolbox, type ToolpactEvent } from 'toolpact';
import { containAgent } from 'toolpact/adapters/adk';
import { afterEach, expect, test, vi } from 'vitest';
import { quietBox } from './start-box.ts';

afterEach(() => void vi.restoreAllMocks());

/** Says a word, or throws. */
class Guide extends BaseAgent {
  readonly #thrown: unknown;

  constructor(name: string, thrown?: unknown) {
    super({ name });
    this.#thrown = thrown;
  }

  protected async *runAsyncImpl({ invocationId }: InvocationContext): AsyncGenerator<Event, void, void> {
    yield createEvent({ invocationId, author: this.name, content: { role: 'model', parts: [{ text: 'on my way' }] } });
    if (this.#thrown !== undefined) throw this.#thrown;
  }

  // biome-ignore lint/correctness/useYield: it never speaks
  protected async *runLiveImpl(): AsyncGenerator<Event, void, void> {
    throw this.#thrown;
  }
}

async function run(agent: BaseAgent, abortSignal?: AbortSignal) {
  const runner = new InMemoryRunner({ agent, appName: 'guide' });
  const { id: sessionId } = await runner.sessionService.createSession({ appName: 'guide', userId: 'u' });
  const newMessage = { role: 'user', parts: [{ text: '?' }] };
  const said: [author: string | undefined, text: string | undefined, errorCode: string | undefined][] = [];
  for await (const { author, content, errorCode } of runner.runAsync({
    userId: 'u',
    sessionId,
    newMessage,
    ...(abortSignal && { abortSignal }),
  }))
    said.push([author, content?.parts?.[0]?.text, errorCode]);
  const { events = [] } = (await runner.sessionService.getSession({ appName: 'guide', userId: 'u', sessionId })) ?? {};
  return { said, kept: events.length };
}

const lost = '{"success":false,"error":"the map is lost"}';
const toolbox = quietBox([], { preset });

test('000-09 an agent that fails ends with the same dictionary, and the run goes to its end', async () => {
  await expect(run(new Guide('root', new Error('the map is lost')))).rejects.toThrow('the map is lost');
  const { said, kept } = await run(containAgent(new Guide('root', new Error('the map is lost')), toolbox));
  expect(said).toEqual([
    ['root', 'on my way', undefined],
    ['root', lost, 'internal'],
  ]);
  // The question, the word and the dictionary are in the session.
  expect(kept).toBe(3);
});

test('000-09 an agent below another one fails without it, and those after it have their turn', async () => {
  const root = new SequentialAgent({ name: 'root', subAgents: [new Guide('first', new Error('the map is lost')), new Guide('second')] });
  expect((await run(containAgent(root, toolbox))).said).toEqual([
    ['first', 'on my way', undefined],
    ['first', lost, 'internal'],
    ['second', 'on my way', undefined],
  ]);
});

test('000-09 an agent that is the tool of another one gives it the dictionary', async () => {
  const tool = new AgentTool({ agent: containAgent(new Guide('guide', new Error('the map is lost')), toolbox) });
  const asked: unknown[] = [];
  class Asking extends BaseAgent {
    protected async *runAsyncImpl(invocationContext: InvocationContext): AsyncGenerator<Event, void, void> {
      const toolContext = { invocationContext, state: { toRecord: () => ({}) }, actions: {} } as never;
      asked.push(await tool.runAsync({ args: { request: 'where?' }, toolContext }));
    }
    protected runLiveImpl(): never {
      throw new Error('not live');
    }
  }
  await run(new Asking({ name: 'root' }));
  expect(String(asked[0])).toContain(lost);
});

test('000-10 the failure of an agent is logged, and an event for whoever listens', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const logged = createToolbox([], { preset });
  const events: ToolpactEvent[] = [];
  logged.subscribe((event) => events.push(event));
  await run(containAgent(new Guide('root', new Error('the map is lost')), logged));
  expect(printed.mock.calls.map(([title, , text]) => [title, text])).toEqual([
    ['root failed', expect.stringMatching(/^Error: the map is lost\n\s+at /)],
  ]);
  expect(events.map(({ type }) => type)).toEqual(['call-start', 'call-end']);
  expect(events[1]).toMatchObject({ tool: 'root', adapter: 'adk', outcome: { error: { kind: 'internal', effect: 'unknown' } } });
});

test('without a preset an agent answers in the marked text', async () => {
  const { said } = await run(containAgent(new Guide('root', new Error('the map is lost')), quietBox([])));
  expect(said[1]?.[1]).toMatch(/^\[error: failed\] the map is lost\nNext: /);
});

test('an agent whose caller has stopped the run says nothing more', async () => {
  const controller = new AbortController();
  const agent = containAgent(new Guide('root', new Error('the map is lost')), toolbox);
  const said: (string | undefined)[] = [];
  for await (const { content } of agent.runAsync({ invocationId: 'i', abortSignal: controller.signal, session: { id: 's' } } as never)) {
    said.push(content?.parts?.[0]?.text);
    controller.abort();
  }
  expect(said).toEqual(['on my way']);
});
