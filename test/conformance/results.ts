import { readFileSync } from 'node:fs';

/** What the suites found in something of ours: the ids of checks, each with what is wrong, one line for each finding. Empty when it keeps every promise. */
export type Broken = Readonly<Record<string, string>>;

/** One host of an adapter. */
export interface AdapterResult {
  readonly title: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Whether tools of the host can be wrapped. */
  readonly wraps: boolean;
  readonly broken: Broken;
}

/** What every suite found, as it is checked in. */
export interface ConformanceResults {
  readonly adapters: readonly AdapterResult[];
  readonly stores: Readonly<Record<string, Broken>>;
  readonly dialects: Readonly<Record<string, Broken>>;
  readonly servers: Readonly<Record<string, Broken>>;
}

/** Where the results are checked in. */
export const resultsFile: URL = new URL('results.json', import.meta.url);

export function readResults(): ConformanceResults {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as ConformanceResults;
}
