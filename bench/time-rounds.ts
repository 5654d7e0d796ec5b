import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Contestant } from './contestant.ts';

/** How long one call took, in nanoseconds, over all rounds. */
export interface Timing {
  readonly best: number;
  readonly median: number;
}

/** How much is measured. */
export interface Effort {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/**
 * Times all contestants in many short rounds, one after the other within each round and starting with another one each time, so that what
 * else the machine does meanwhile hits all of them alike.
 */
export async function timeRounds(
  contestants: readonly Contestant[],
  { rounds, roundMs, warmUpMs }: Effort,
  tell: (progress: string) => void,
): Promise<ReadonlyMap<string, Timing>> {
  const entries: { contestant: Contestant; calls: number; samples: number[] }[] = [];
  for (const contestant of contestants) {
    const value = await contestant.call();
    if (!contestant.isRight(value)) throw new Error(`${contestant.name} gives a wrong answer: ${JSON.stringify(value)}`);
    tell(`warming up: ${contestant.name}`);
    entries.push({ contestant, calls: await callsIn(contestant, roundMs, warmUpMs), samples: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    tell(`round ${round + 1} of ${rounds}`);
    for (let turn = 0; turn < entries.length; turn += 1) {
      const entry = entries[(round + turn) % entries.length];
      if (entry === undefined) continue;
      collect({ type: 'minor' }); // no contestant pays for the garbage of another
      entry.samples.push(await timeCalls(entry.contestant, entry.calls));
    }
  }
  return new Map(
    entries.map(({ contestant, samples }) => {
      const sorted = samples.toSorted((a, b) => a - b);
      return [contestant.name, { best: sorted[0] ?? Number.NaN, median: sorted[sorted.length >> 1] ?? Number.NaN }];
    }),
  );
}

/** Runs a contestant until it is compiled, and tells how many calls fill a round. */
async function callsIn(contestant: Contestant, roundMs: number, warmUpMs: number): Promise<number> {
  const until = performance.now() + warmUpMs;
  let nsPerCall = Number.POSITIVE_INFINITY;
  while (performance.now() < until) nsPerCall = Math.min(nsPerCall, await timeCalls(contestant, 50));
  return Math.max(20, Math.round((roundMs * 1e6) / nsPerCall));
}

async function timeCalls({ call, alone }: Contestant, calls: number): Promise<number> {
  let last: unknown;
  const now = alone === true ? processorTime : wallTime;
  const startedAt = now();
  for (let count = 0; count < calls; count += 1) {
    const value = call();
    // Synchronous work is not awaited: a turn of the microtask queue would cost more than some of it.
    last = value instanceof Promise ? await value : value;
  }
  const took = now() - startedAt;
  if (last === undefined) throw new Error('the last call gave nothing');
  return took / calls;
}

/** Both in nanoseconds. */
function wallTime(): number {
  return performance.now() * 1e6;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
}
