import { describe, expect, test } from 'vitest';
import { createToolbox, defineTool, type Outcome } from '../index.ts';
import { memoryStore } from '../stores/memory.ts';
import type { ToolboxOptions } from '../toolbox/index.ts';
import { concurrency } from './public.ts';

const cases: readonly [string, () => ToolboxOptions][] = [
  ['alone', () => ({})],
  ['with retries', () => ({ declare: () => ({ retry: { attempts: 3 } }) })],
  ['with a store', () => ({ store: memoryStore() })],
  ['with concurrency', () => ({ use: [concurrency({ max: 10_000 })] })],
  ['with all of them', () => ({ store: memoryStore(), declare: () => ({ retry: { attempts: 3 } }), use: [concurrency({ max: 10_000 })] })],
];

const pauses: readonly [string, () => Promise<unknown> | undefined][] = [
  ['at once', () => undefined],
  ['after a microtask', () => Promise.resolve()],
  ['after a turn of the event loop', () => new Promise((done) => setImmediate(done))],
];

/** Makes two tools that call each other as often as `mayGoOn` says. */
function makeLoop(options: ToolboxOptions, pause: () => Promise<unknown> | undefined, mayGoOn: (runs: number) => boolean) {
  let runs = 0;
  let innermost: Outcome | undefined;
  const callOther = (name: 'ping' | 'pong') => async (): Promise<string> => {
    runs += 1;
    if (!mayGoOn(runs)) return 'end';
    const waited = pause();
    if (waited !== undefined) await waited;
    const outcome = await toolbox.call(name, {});
    innermost ??= outcome;
    return outcome.status === 'ok' ? 'end' : outcome.status;
  };
  const toolbox = createToolbox(
    [
      defineTool({ name: 'ping', description: 'Calls pong.', effects: 'none', run: callOther('pong') }),
      defineTool({ name: 'pong', description: 'Calls ping.', effects: 'none', run: callOther('ping') }),
    ],
    { ...options, report: () => undefined },
  );
  return { toolbox, runs: () => runs, innermost: () => innermost };
}

describe.each(cases)('tools that call each other without end, %s', (_how, options) => {
  test.each(pauses)('%s, are stopped with a failure that names the limit', async (_when, pause) => {
    const { toolbox, runs, innermost } = makeLoop(options(), pause, () => true);
    expect(await toolbox.call('ping', {})).toMatchObject({ status: 'ok', data: 'end' });
    expect(innermost()).toMatchObject({
      status: 'error',
      error: {
        kind: 'internal',
        retryable: false,
        effect: 'none',
        message: expect.stringContaining('without end: this call of'),
      },
    });
    expect(runs()).toBe(200);
  });

  test('may lie a hundred deep', async () => {
    const { toolbox } = makeLoop(
      options(),
      () => Promise.resolve(),
      (runs) => runs < 100,
    );
    expect(await toolbox.call('ping', {})).toMatchObject({ status: 'ok', data: 'end' });
  });
});

test('a thousand calls side by side do not lie inside each other', async () => {
  const tool = defineTool({
    name: 'wait',
    description: 'Waits.',
    effects: 'none',
    run: () => new Promise((done) => setImmediate(done, 1)),
  });
  const toolbox = createToolbox([tool]);
  for (let round = 0; round < 2; round += 1) {
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => toolbox.call('wait', {})));
    expect(outcomes.every(({ status }) => status === 'ok')).toBe(true);
  }
});
