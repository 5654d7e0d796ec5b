import { beforeAll, expect, test } from 'vitest';
import { createToolbox, defineTool, fail } from '../../src/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { startSdk } from './sdk.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('2.12');
});

let isBroken = true;
const order = defineTool({
  name: 'order',
  description: 'Orders.',
  steps: true,
  async run(_input, { step }) {
    await Promise.all([step('charge', () => 'paid'), step('pack', () => 'box', { effects: 'none' })]);
    return step('ship', () => {
      if (isBroken) throw fail('upstream', 'The post is closed.', { effect: 'none' });
      return 'sent';
    });
  },
});

test.each([false, true])(
  'steps are spans below their call, also those that are remembered (spans of attempts: %s)',
  async (attemptSpans) => {
    isBroken = true;
    const toolbox = createToolbox([order], { store: memoryStore(), telemetry: openTelemetry({ attemptSpans }), report: () => undefined });
    await sdk.take();
    const failed = await toolbox.call('order', {});
    isBroken = false;
    const first = (await sdk.take()).spans;
    await toolbox.calls.rerun(failed.meta.invocationId ?? '', { from: 'ship' });
    const second = (await sdk.take()).spans;
    const stepsOf = (spans: typeof first) =>
      spans
        .filter(({ name }) => name.startsWith('step '))
        .map(({ name, attributes, status }) => [name, attributes['toolpact.step.replayed'], status.code])
        .toSorted();
    expect(stepsOf(first)).toEqual([
      ['step charge', false, 0],
      ['step pack', false, 0],
      ['step ship', false, 2],
    ]);
    expect(stepsOf(second)).toEqual([
      ['step charge', true, 0],
      ['step pack', true, 0],
      ['step ship', false, 0],
    ]);
    for (const spans of [first, second]) {
      const call = spans.find(({ name }) => name.startsWith('execute_tool'));
      const attempt = spans.find(({ parentSpanId, name }) => parentSpanId === call?.spanId && !name.startsWith('step '));
      const parent = attemptSpans ? attempt : call;
      expect(parent).toBeDefined();
      const steps = spans.filter(({ name }) => name.startsWith('step '));
      expect(steps.map(({ parentSpanId, traceId }) => [parentSpanId, traceId])).toEqual(steps.map(() => [parent?.spanId, call?.traceId]));
    }
  },
);
