import { createToolbox, defineTool } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { sleep } from 'toolpact/internal';
import { countLedger } from './counted-ledger.ts';

const ordinaryCalls = 101;

const slow = defineTool({
  name: 'slow',
  description: 'Runs until it is stopped.',
  effects: 'none',
  deferAfterMs: 1,
  timeoutMs: 600_000,
  run: (_, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
});
const quick = defineTool({ name: 'quick', description: 'Is quick.', effects: 'none', run: () => 'quick' });

/** The costs of many waiting calls for a store. */
export interface WaitingReport {
  readonly operationsPerSecond: number;
  /** Times of an ordinary call beside them, in milliseconds. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** Lets many callers wait for running calls, and counts the operations of the store meanwhile. */
export async function watchWaiting(store: Store, count: number, watchedMs: number, settleMs = watchedMs / 2): Promise<WaitingReport> {
  const counted = countLedger(store);
  const toolbox = createToolbox([slow, quick], { store: counted.store, calls: { maxWaiting: count }, report: () => undefined });
  const stop = new AbortController();
  const waiting: Promise<unknown>[] = [];
  for (let begun = 0; begun < count; begun += 100) {
    const outcomes = await Promise.all(Array.from({ length: Math.min(100, count - begun) }, () => toolbox.call('slow', {})));
    for (const outcome of outcomes) {
      if (outcome.status !== 'pending') throw new Error(`a call was not deferred: ${JSON.stringify(outcome)}`);
      waiting.push(toolbox.calls.wait(outcome.pending.handle, { timeoutMs: 600_000, signal: stop.signal }));
    }
  }
  const asked = (): number => [...counted.counts.values()].reduce((sum, one) => sum + one, 0);
  await sleep(settleMs);
  const before = asked();
  await sleep(watchedMs);
  const operationsPerSecond = ((asked() - before) * 1000) / watchedMs;
  const times: number[] = [];
  for (let call = 0; call < ordinaryCalls; call += 1) {
    const startedAt = performance.now();
    await toolbox.call('quick', {});
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  stop.abort();
  await Promise.all(waiting);
  const { calls } = await toolbox.calls.list({ tool: 'slow', limit: 1 });
  if (calls.length === 0) throw new Error('the calls that run on are not in the list');
  return { operationsPerSecond, medianMs: times[ordinaryCalls >> 1] ?? Number.NaN, slowestMs: times.at(-1) ?? Number.NaN };
}
