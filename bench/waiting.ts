import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolbox, defineTool } from 'toolpact';
import type { Ledger, Store } from 'toolpact/extend';
import { sleep } from 'toolpact/internal';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { startPostgres } from '../proofs/fixtures/start-postgres.ts';

// What many who wait for pending calls cost the store and an ordinary call: node --import ./scripts/resolve-peers.ts bench/waiting.ts [calls]
const count = Number(process.argv[2] ?? 2_000);
const [settleMs, watchedMs, ordinary] = [5_000, 10_000, 101];

const slow = defineTool({
  name: 'slow',
  description: 'Runs until it is stopped.',
  effects: 'none',
  deferAfterMs: 1,
  timeoutMs: 600_000,
  run: (_, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
});
const quick = defineTool({ name: 'quick', description: 'Is quick.', effects: 'none', run: () => 'quick' });

async function measure(name: string, store: Store): Promise<void> {
  let asked = 0;
  const counting =
    <TGiven extends unknown[], TValue>(ask: (...given: TGiven) => TValue) =>
    (...given: TGiven): TValue => {
      asked += 1;
      return ask(...given);
    };
  const { calls } = store;
  if (calls === undefined) throw new Error('the store remembers no calls');
  const { watch, ...asks } = calls;
  const countedCalls = Object.fromEntries(Object.entries(asks).map(([operation, ask]) => [operation, counting(ask as never)]));
  const counted: Store = { ...store, calls: { watch, ...countedCalls } as Ledger };
  const toolbox = createToolbox([slow, quick], { store: counted, calls: { maxWaiting: count }, report: () => undefined });
  const stop = new AbortController();
  const waiting: Promise<unknown>[] = [];
  for (let begun = 0; begun < count; begun += 100) {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => toolbox.call('slow', {})));
    for (const outcome of outcomes) {
      if (outcome.status !== 'pending') throw new Error(`a call was not deferred: ${JSON.stringify(outcome)}`);
      waiting.push(toolbox.calls.wait(outcome.pending.handle, { timeoutMs: 600_000, signal: stop.signal }));
    }
  }
  await sleep(settleMs);
  const before = asked;
  await sleep(watchedMs);
  const perSecond = ((asked - before) * 1000) / watchedMs;
  const taken: number[] = [];
  for (let call = 0; call < ordinary; call += 1) {
    const startedAt = performance.now();
    await toolbox.call('quick', {});
    taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  const times = `${taken[ordinary >> 1]?.toFixed(1)} ms (slowest ${taken.at(-1)?.toFixed(1)})`;
  console.log(
    `${name}: ${waiting.length} waiting, ${perSecond.toFixed(1)} operations of the store a second; an ordinary call beside them: ${times}`,
  );
  stop.abort();
  await Promise.all(waiting);
}

const folder = mkdtempSync(join(tmpdir(), 'toolpact-waiting-'));
const server = await startPostgres();
const stores = {
  SQLite: sqliteStore({ path: join(folder, 'calls.db') }),
  PostgreSQL: postgresStore({ connectionString: server.connectionString }),
};
for (const [name, store] of Object.entries(stores)) await measure(name, store);
// The calls still run, and would hold the process.
await server.remove();
rmSync(folder, { recursive: true, force: true });
process.exit();
