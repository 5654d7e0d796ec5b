import { readFileSync } from 'node:fs';
import type { KillHost, Variant } from './host.ts';
import type { Cell } from './judge.ts';

/** The measurements of one host. */
export interface HostResult extends Pick<KillHost, 'title' | 'mode' | 'documentation' | 'key' | 'asks'> {
  readonly versions: Readonly<Record<string, string>>;
  /** By variant and moment. */
  readonly cells: Readonly<Partial<Record<Variant, Readonly<Record<string, Cell>>>>>;
}

export interface KillResults {
  date: string;
  readonly hosts: Record<string, HostResult>;
}

export const resultsFile = new URL('results.json', import.meta.url);

/** Reads what was measured last. */
export function readResults(): KillResults {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as KillResults;
}
