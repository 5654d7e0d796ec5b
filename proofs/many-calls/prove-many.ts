// Lists, waits for, takes over and resumes many calls, and compares what that takes with its bounds:
// node scripts/run.mjs proof calls [--calls 1000000] [--waiting 2000] [--left 10000] [--store sqlite]
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { proveOnStores } from '../crash/prove-on-stores.ts';
import { fillCalls } from './drafted-calls.ts';
import { leaveCalls, resumeRun, takeOver } from './leave-calls.ts';
import { timePages } from './read-pages.ts';
import { watchWaiting } from './watch-waiting.ts';

/** A page of the list; what the store is asked per second while nothing happens; what a new call waits at most beside a worker that takes over. */
const bounds = { pageMs: 50, waitingOperations: 20, newCallMs: 2_000, looksPerCall: 0.5 };

const { values } = parseArgs({
  options: { calls: { type: 'string' }, waiting: { type: 'string' }, left: { type: 'string' }, store: { type: 'string' } },
});
const [total, waiting, left] = [values.calls, values.waiting, values.left].map(Number) as [number, number, number];

await proveOnStores(values.store, async ({ name, store: address }) => {
  const tell = (text: string): void => console.log(`${name}: ${text}`);
  const load = (): string => `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
  const broken: string[] = [];
  const atMost = (what: string, value: number, most: number): void => {
    if (!(value <= most)) broken.push(`${name}: ${what}: ${value.toFixed(1)}, more than ${most}`);
  };

  // Another file or schema for each part: what one leaves behind is no part of the next.
  const open = (part: string) =>
    'path' in address
      ? sqliteStore({ path: `${address.path}-${part}` })
      : postgresStore({ connectionString: address.connectionString, schema: part });

  const list = open('list');
  const startedAt = performance.now();
  if (list.calls === undefined) throw new Error(`${name} remembers no calls`);
  await fillCalls(list.calls, total);
  tell(`${total} calls begun and ended in ${((performance.now() - startedAt) / 1000).toFixed(0)} s (${load()})`);
  const pages = await timePages(list.calls, total);
  const [slowest] = pages;
  const median = pages[pages.length >> 1];
  tell(
    `a page of 50 by each of ${pages.length} filters and pairs: median ${median?.ms.toFixed(1)} ms, slowest filter ${slowest?.ms.toFixed(1)} ms ` +
      `(${JSON.stringify(slowest?.filter)}), slowest of 7 rounds ${Math.max(...pages.map(({ slowestMs }) => slowestMs)).toFixed(1)} ms (${load()})`,
  );
  for (const { filter, ms } of pages) atMost(`a page by ${JSON.stringify(filter)}, in ms`, ms, bounds.pageMs);
  await list.close();

  const waits = open('waits');
  const waited = await watchWaiting(waits, waiting, 10_000);
  tell(
    `${waiting} waiting: ${waited.operationsPerSecond.toFixed(1)} operations of the store a second; an ordinary call beside them ` +
      `${waited.medianMs.toFixed(1)} ms, slowest ${waited.slowestMs.toFixed(1)} ms (${load()})`,
  );
  atMost('operations a second while all wait', waited.operationsPerSecond, bounds.waitingOperations);
  await waits.close();

  const leftBehind = open('left');
  await leaveCalls(leftBehind, { count: left });
  const taken = await takeOver(leftBehind, left);
  tell(
    `${taken.takenOver} calls of a dead process taken over in ${taken.seconds.toFixed(1)} s with ${taken.looks} looks, ${taken.twice} twice; ` +
      `${taken.newCalls} new calls meanwhile, ${taken.refused} refused, with a key ${taken.medianMs.toFixed(1)} ms, slowest ` +
      `${taken.slowestMs.toFixed(0)} ms; one that sleeps 50 ms took ${taken.slowestNapMs.toFixed(0)} ms at most (${load()})`,
  );
  atMost('calls not taken over', left - taken.takenOver, 0);
  atMost('calls charged twice', taken.twice, 0);
  atMost('new calls refused', taken.refused, 0);
  atMost('looks for a call', taken.looks / taken.takenOver, bounds.looksPerCall);
  atMost('a new call, in ms', taken.slowestMs, bounds.newCallMs);
  atMost('a new call that sleeps 50 ms, in ms', taken.slowestNapMs, bounds.newCallMs);

  const run = Math.ceil(left / 10);
  await leaveCalls(leftBehind, { count: run, runId: 'resumed' });
  const resumed = await resumeRun(leftBehind, 'resumed');
  tell(
    `a run of ${run} open calls of 10 ms resumed in ${resumed.seconds.toFixed(1)} s, ${resumed.atOnce} at once, ${resumed.ok} ok, ${resumed.twice} twice (${load()})`,
  );
  atMost('calls of a run charged twice', resumed.twice, 0);
  atMost('calls of a run that did not end well', run - resumed.ok, 0);
  if (resumed.atOnce < 2) broken.push(`${name}: the calls of a run were resumed one after the other`);
  await leftBehind.close();
  return broken;
});
process.exit();
