import type { ToolpactEvent } from 'toolpact';
import { createToolbox, defineTool, fail } from 'toolpact';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { record } from './record.ts';
import { replay } from './replay.ts';

const report = () => undefined;

function counter() {
  const run = vi.fn(({ by }: { by: number }) => (by < 0 ? fail('invalid_input', 'Only upward.') : run.mock.calls.length));
  const tool = defineTool({
    name: 'count',
    description: 'Counts.',
    input: z.object({ by: z.number(), key: z.string().optional() }),
    run: (input) => run(input),
  });
  return { run, tool };
}

async function recorded(): Promise<ToolpactEvent[]> {
  const recorder = record();
  const box = createToolbox([counter().tool], { use: [recorder], report });
  for (const by of [1, 1, -1, 2]) await box.call('count', { by });
  await box.answer({ name: 'no_such', args: {} });
  return JSON.parse(JSON.stringify(recorder.events()));
}

describe('a replay', () => {
  test('answers as it was recorded, equal calls in their order, and runs nothing', async () => {
    const { run, tool } = counter();
    const player = replay(await recorded());
    const box = createToolbox([tool], { use: [player], report });
    const seen: unknown[] = [];
    for (const by of [2, 1, 1, 1, -1]) {
      const outcome = await box.call('count', { by }, { callId: `c${by}` });
      seen.push(outcome.status === 'ok' ? outcome.data : outcome.status === 'error' && outcome.error.kind);
      expect([outcome.meta.callId, outcome.meta.replayed]).toEqual([`c${by}`, true]);
    }
    expect(seen).toEqual([4, 1, 2, 2, 'invalid_input']);
    const unknown = await box.answer({ name: 'no_such', args: {} });
    expect(unknown.status === 'error' && unknown.error.kind).toBe('unknown_tool');
    expect([run.mock.calls.length, player.misses()]).toEqual([0, []]);
  });

  test('of a call that was not recorded fails loudly and is never a live call', async () => {
    const { run, tool } = counter();
    const player = replay(await recorded());
    const outcome = await createToolbox([tool], { use: [player], report }).call('count', { by: 3 });
    expect(outcome.status === 'error' && outcome.error).toMatchObject({ kind: 'not_configured', effect: 'none', retryable: false });
    expect(outcome.status === 'error' && outcome.error.message).toContain('Nothing was recorded for count {"by":3}');
    expect([run.mock.calls.length, player.misses()]).toEqual([0, [{ tool: 'count', input: { by: 3 } }]]);
  });

  test('stands in for the store that a tool needs', async () => {
    const paid = defineTool({ name: 'pay', description: 'Pays.', idempotency: {}, approval: true, run: () => 'paid' });
    const outcome = await createToolbox([paid], { use: [replay([])], report }).call('pay', {});
    expect(outcome.status === 'error' && outcome.error.kind).toBe('not_configured');
  });

  test('does not find a call by the secret in it, yet finds the call', async () => {
    const recorder = record();
    const secret = 'Bearer sk-live-1234567890abcdefghij';
    await createToolbox([counter().tool], { use: [recorder], report }).call('count', { by: 1, key: secret });
    expect(JSON.stringify(recorder.events()[0])).not.toContain('sk-live');
    const outcome = await createToolbox([counter().tool], { use: [replay(recorder.events())], report }).call('count', {
      by: 1,
      key: secret,
    });
    expect(outcome.status).toBe('ok');
  });

  test('has calls that ran into their deadline', async () => {
    const hang = defineTool({ name: 'hang', description: 'Hangs.', timeoutMs: 5, run: () => new Promise<string>(() => undefined) });
    const recorder = record();
    await createToolbox([hang], { use: [recorder], report }).call('hang', {});
    const outcome = await createToolbox([hang], { use: [replay(recorder.events())], report }).call('hang', {});
    expect(outcome.status === 'error' && outcome.error.kind).toBe('timeout');
  });

  test('of half a recording is a mistake that is reported', () => {
    expect(() => replay([{ type: 'call-end', call: 'x' } as never])).toThrow('not its start');
  });

  test.each([
    ['no list', { events: [] }, 'a recording is a list of events, as record().events() gives it'],
    [
      'a call that ended as nothing can',
      [
        { type: 'call-start', call: 'x', tool: 'count', input: {} },
        { type: 'call-end', call: 'x', outcome: { status: 'great', meta: {} } },
      ],
      'the recording ends call x with something that is not an outcome: the status is "great"',
    ],
  ])('of %s is a mistake that is reported', (_, events, message) => {
    expect(() => replay(events as never)).toThrow(message);
  });
});
