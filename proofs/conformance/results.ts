import { readFileSync } from 'node:fs';
import type { Finding } from '@toolpact/testing';

/** Findings of the suites in our own code: the ids of checks, each with its problems, one per line. Empty if every promise is kept. */
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

/** Some of our tools. */
export interface ToolsResult {
  /** How many there are. */
  readonly tools: number;
  readonly broken: Broken;
  /** The ids of checks that none of them could be put to, each with why. */
  readonly untested: Readonly<Record<string, string>>;
}

/** The results of every suite, as they are checked in. */
export interface ConformanceResults {
  readonly tools: Readonly<Record<string, ToolsResult>>;
  readonly adapters: readonly AdapterResult[];
  readonly stores: Readonly<Record<string, Broken>>;
  readonly dialects: Readonly<Record<string, Broken>>;
  readonly servers: Readonly<Record<string, Broken>>;
}

/** Where the results are checked in. */
export const resultsFile: URL = new URL('results.json', import.meta.url);

/** Puts what a suite found in the form that is checked in. */
export function toBroken(findings: readonly Finding[]): Broken {
  return Object.fromEntries(
    Object.entries(Object.groupBy(findings, ({ check }) => check)).map(([id, all = []]) => [
      id,
      all.map(({ message }) => message).join('\n'),
    ]),
  );
}

export function readResults(): ConformanceResults {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as ConformanceResults;
}
