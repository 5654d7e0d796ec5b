import { type ToolFault, withFaults } from '@toolpact/testing';
import { usageError } from '../cli-error.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import type { ToolSource } from '../load/tool-source.ts';
import type { Given } from './command.ts';

/** How many runs of the tools go wrong, and which. */
export interface Chaos {
  readonly rate: number;
  readonly seed: string;
}

/** Reads `--chaos` and `--chaos-seed`; undefined when there is to be none. */
export function readChaos(flags: Given['flags']): Chaos | undefined {
  const [written, seed] = [flags.get('chaos'), flags.get('chaos-seed')];
  if (written === undefined) {
    if (seed !== undefined) throw usageError('--chaos-seed needs --chaos.', 'Add a share of runs, for example --chaos 0.2.');
    return undefined;
  }
  const rate = typeof written === 'string' && /^(0?\.\d+|0|1(\.0+)?)$/.test(written) ? Number(written) : Number.NaN;
  if (!(rate > 0 && rate <= 1)) throw usageError(`--chaos must be a share above 0 and up to 1, such as 0.2, not ${String(written)}.`);
  return { rate, seed: typeof seed === 'string' ? seed : '1' };
}

/** Makes tools go wrong now and then; also those loaded later, and those of a toolbox. */
export function withChaos(source: ToolSource, { rate, seed }: Chaos): ToolSource {
  // Each draws only what those before it have left, so that all get the same share of the rate.
  const share = rate / mishaps.length;
  const plan = mishaps.map((mishap, before): ToolFault => ({ ...mishap, rate: Math.min(1, share / (1 - before * share)) }));
  const spoil = (loaded: LoadedTools): LoadedTools =>
    loaded.toolbox === undefined
      ? { ...loaded, tools: withFaults(loaded.tools, plan, seed) }
      : { toolbox: withFaults(loaded.toolbox, plan, seed) };
  return { ...source, load: async () => spoil(await source.load()) };
}

/** The faults of real life: most strike before the tool has done anything, and the worst after. */
const mishaps: readonly ToolFault[] = [
  { kind: 'unreachable' },
  { kind: 'rate_limited', retryAfterMs: 1000 },
  { kind: 'upstream' },
  { kind: 'timeout', at: 'after' },
  { slowMs: 2000 },
  { answer: 'wrong-schema', at: 'after' },
];
