// Measures a step on each engine, and the same number of entries written without us:
// node bench/durable.ts [--rounds <n>] [--steps 5,50,500] [--seconds <n>] [--memory <calls>] [--only sqlite|sqlite-normal|postgres|postgres-no-sync|restate]
import '../scripts/resolve-source.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DurableLane } from './durable/lane.ts';
import { processorTime } from './durable/processor-time.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    steps: { type: 'string', default: '5,50,500' },
    seconds: { type: 'string', default: '5' },
    memory: { type: 'string' },
    only: { type: 'string' },
  },
});
const sizes = options.steps.split(',').map(Number);
const workers = [1, 2, 4];
/** So many steps are taken for one sample, in as many calls as it needs: processor time is counted in hundredths of a second. */
const stepsPerSample = 500;
/** So often everything is done before it counts. */
const warmRounds = 8;
/** The most a step may take of what the same entries take without us. */
const most: Readonly<Record<string, number>> = { sqlite: 2, 'sqlite-normal': 2, postgres: 2, 'postgres-no-sync': 2, restate: 1.3 };

const { postgresLane, sqliteLane } = await import('./durable/store-lane.ts');
const { openRestateLane } = await import('./durable/restate-lane.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolpact-durable-'));
const lanes: Readonly<Record<string, (folder: string) => Promise<DurableLane>>> = {
  sqlite: sqliteLane('full'),
  // With `normal` and `no-sync` a power cut may take the last writes of either: nothing waits for the disk, so that our own work is what is left to compare.
  'sqlite-normal': sqliteLane('normal'),
  postgres: postgresLane([]),
  'postgres-no-sync': postgresLane(['fsync=off']),
  restate: openRestateLane,
};
try {
  for (const [name, open] of Object.entries(lanes)) {
    if (options.only !== undefined && options.only !== name) continue;
    const lane = await open(folder);
    try {
      if (options.memory !== undefined) await watchMemory(name, lane, Number(options.memory));
      else {
        await compare(name, lane);
        await countCalls(name, lane);
      }
    } finally {
      await lane.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/**
 * Compares calls with steps with the same entries by hand, in turns, and prints what one step costs: what the call itself costs is taken off. What
 * counts is the processor time of all processes, because the machine may be busy with other things.
 */
async function compare(name: string, { call, byHand }: DurableLane): Promise<void> {
  console.log(
    `\n${name}\n\n| steps | effects | by hand, per step | Toolpact, per step | ratio | target | | ratio of the time that passed |\n|---:|---|---:|---:|---:|---:|---|---:|`,
  );
  const grown: number[] = [];
  for (const steps of sizes) {
    for (const effects of ['none', 'writes'] as const) {
      const entries = effects === 'writes' ? 2 * steps : steps;
      const times = Math.ceil(stepsPerSample / steps);
      const samples = await interleave({
        nothing: () => repeat(times, () => byHand(0)),
        hand: () => repeat(times, () => byHand(entries)),
        empty: () => repeat(times, () => call(0, effects)),
        ours: () => repeat(times, () => call(steps, effects)),
      });
      const perStep = (of: keyof Cost, more: Cost, less: Cost): number => (more[of] - less[of]) / steps / times;
      const hand = perStep('processorMs', samples.hand, samples.nothing);
      const ours = perStep('processorMs', samples.ours, samples.empty);
      const passed = perStep('passedMs', samples.ours, samples.empty) / perStep('passedMs', samples.hand, samples.nothing);
      const ratio = ours / hand;
      if (effects === 'none') grown.push(ours);
      const target = most[name] ?? Number.NaN;
      console.log(
        `| ${steps} | ${effects} | ${us(hand)} | ${us(ours)} | ${ratio.toFixed(2)} × | ≤ ${target} × | ${ratio <= target ? 'met' : 'NOT met'} | ${passed.toFixed(2)} × |`,
      );
    }
  }
  const growth = (grown.at(-1) ?? Number.NaN) / (grown[0] ?? Number.NaN);
  console.log(`\n${name}: a step of ${sizes.at(-1)} costs ${growth.toFixed(2)} × one of ${sizes[0]}`);
}

/** The cost of a piece of work: processor time, and time that passed. */
interface Cost {
  readonly processorMs: number;
  readonly passedMs: number;
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await run();
}

/** Gives the median cost of each; all of them take turns, so that what else the machine does hits all alike. */
async function interleave<TName extends string>(runs: Readonly<Record<TName, () => Promise<unknown>>>): Promise<Record<TName, Cost>> {
  const names = Object.keys(runs) as TName[];
  const samples = new Map(names.map((name) => [name, [] as Cost[]]));
  // Not counted: a process that serves calls is warm.
  for (let round = 0; round < warmRounds; round += 1) for (const name of names) await runs[name]();
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [turn] of names.entries()) {
      const name = names[(turn + round) % names.length] as TName;
      const startedAt = performance.now();
      const before = processorTime();
      await runs[name]();
      samples.get(name)?.push({ processorMs: processorTime() - before, passedMs: performance.now() - startedAt });
    }
  }
  const medianOf = (costs: readonly Cost[]): Cost => ({
    processorMs: median(costs.map(({ processorMs }) => processorMs)),
    passedMs: median(costs.map(({ passedMs }) => passedMs)),
  });
  return Object.fromEntries([...samples].map(([name, costs]) => [name, medianOf(costs)])) as Record<TName, Cost>;
}

/** Counts the calls of five steps that workers answer. */
async function countCalls(name: string, { withWorkers }: DurableLane): Promise<void> {
  const counts: string[] = [];
  for (const count of workers) counts.push(`${count} ${Math.round(await withWorkers(count, Number(options.seconds)))}`);
  console.log(`\n${name}: calls of five steps per second, by workers: ${counts.join(', ')}`);
}

async function watchMemory(name: string, { call }: DurableLane, calls: number): Promise<void> {
  const heap = (): string => {
    globalThis.gc?.();
    return globalThis.gc === undefined ? '' : `, of which ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB are in use on the heap`;
  };
  const mb = (): string => `${Math.round(process.memoryUsage().rss / 1e6)} MB${heap()}`;
  const before = mb();
  for (let done = 0; done < calls; done += 32) {
    await Promise.all(Array.from({ length: 32 }, () => call(1, 'none')));
    if (done % 16_000 === 0) console.log(`${name}: ${done} calls, ${mb()}`);
  }
  console.log(`${name}: ${before} before, ${mb()} after ${calls} calls`);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function us(ms: number): string {
  return `${Math.round(ms * 1000).toLocaleString('en')} µs`;
}
