import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('./fixed-seeds.json', import.meta.url));

/**
 * Seeds that once broke something. What a seed plays changes with the workload, so a mistake that was understood has a scenario besides; here it is
 * kept until then.
 */
export function readFixedSeeds(): readonly number[] {
  return JSON.parse(readFileSync(file, 'utf8')) as number[];
}

/** Keeps seeds that broke something. */
export function keepSeeds(seeds: readonly number[]): void {
  const all = [...new Set([...readFixedSeeds(), ...seeds])].sort((one, other) => one - other);
  writeFileSync(file, `${JSON.stringify(all)}\n`);
}
