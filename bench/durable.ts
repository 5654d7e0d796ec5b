// What a step costs on each engine, next to the same number of entries written without us:
// node bench/durable.ts [--rounds <n>] [--steps 5,50,500] [--seconds <n>] [--memory <calls>]
import './resolve-peers.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DurableLane } from './durable/lane.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    steps: { type: 'string', default: '5,50,500' },
    seconds: { type: 'string', default: '5' },
    memory: { type: 'string' },
  },
});
const sizes = options.steps.split(',').map(Number);
const workers = [1, 2, 4];
/** The most a step may take of what the same entries take without us. */
const most: Readonly<Record<string, number>> = { restate: 1.3 };

const { openRestateLane } = await import('./durable/restate-lane.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolpact-durable-'));
const lanes: Readonly<Record<string, (folder: string) => Promise<DurableLane>>> = {
  restate: openRestateLane,
};
try {
  for (const [name, open] of Object.entries(lanes)) {
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

/** Times calls with steps against the same entries by hand, in turns, and prints the cost of one step: that of the call itself is taken off. */
async function compare(name: string, { call, byHand }: DurableLane): Promise<void> {
  console.log(
    `\n${name}\n\n| steps | effects | by hand, per step | Toolpact, per step | ratio | target | |\n|---:|---|---:|---:|---:|---:|---|`,
  );
  for (const steps of sizes) {
    for (const effects of ['none', 'writes'] as const) {
      const entries = effects === 'writes' ? 2 * steps : steps;
      const samples = await interleave({
        nothing: () => byHand(0),
        hand: () => byHand(entries),
        empty: () => call(0, effects),
        ours: () => call(steps, effects),
      });
      const hand = (samples.hand - samples.nothing) / steps;
      const ours = (samples.ours - samples.empty) / steps;
      const ratio = ours / hand;
      const target = most[name] ?? Number.NaN;
      console.log(
        `| ${steps} | ${effects} | ${us(hand)} | ${us(ours)} | ${ratio.toFixed(2)} × | ≤ ${target} × | ${ratio <= target ? 'met' : 'NOT met'} |`,
      );
    }
  }
}

/** Gives the median time of each, in milliseconds; all of them take turns, so that what else the machine does hits all alike. */
async function interleave<TName extends string>(runs: Readonly<Record<TName, () => Promise<unknown>>>): Promise<Record<TName, number>> {
  const names = Object.keys(runs) as TName[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (const name of names) await runs[name]();
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [turn] of names.entries()) {
      const name = names[(turn + round) % names.length] as TName;
      const startedAt = performance.now();
      await runs[name]();
      samples.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...samples].map(([name, times]) => [name, median(times)])) as Record<TName, number>;
}

/** Counts the calls of five steps that workers answer. */
async function countCalls(name: string, { withWorkers }: DurableLane): Promise<void> {
  const counts: string[] = [];
  for (const count of workers) counts.push(`${count} ${Math.round(await withWorkers(count, Number(options.seconds)))}`);
  console.log(`\n${name}: calls of five steps per second, by workers: ${counts.join(', ')}`);
}

async function watchMemory(name: string, { call }: DurableLane, calls: number): Promise<void> {
  const mb = (): number => Math.round(process.memoryUsage().rss / 1e6);
  const before = mb();
  for (let done = 0; done < calls; done += 32) {
    await Promise.all(Array.from({ length: 32 }, () => call(1, 'none')));
    if (done % 16_000 === 0) console.log(`${name}: ${done} calls, ${mb()} MB`);
  }
  console.log(`${name}: ${before} MB before, ${mb()} MB after ${calls} calls`);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function us(ms: number): string {
  return `${Math.round(ms * 1000).toLocaleString('en')} µs`;
}
