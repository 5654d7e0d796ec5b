import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './once-per-run.ts';
import type { Results } from './run-scenarios.ts';
import type { Line } from './sdk.ts';

/** An SDK line and the API package that application and library both resolve. */
export interface Cell {
  readonly line: Line;
  readonly api: 'otel-api-1.9' | '@opentelemetry/api';
}

/** The combinations that users have: the last SDK 2 with the API of its time, and SDK 3. */
export const cells: readonly Cell[] = [
  { line: '2.12', api: 'otel-api-1.9' },
  { line: '3.1', api: '@opentelemetry/api' },
];

/** Runs all scenarios in a process of its own, once for all files that look at what they emit. */
export async function spawnScenarios({ line, api }: Cell): Promise<Results> {
  return JSON.parse(await oncePerRun(`scenarios-${line}.json`, () => runScript('run-scenarios.ts', [line], { OTEL_API: api }))) as Results;
}

/** Runs a script of this folder with the peers in reach and gives what it printed. */
export async function runScript(name: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const hooks = new URL('resolve-peers.mjs', import.meta.url).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', hooks, script, ...words],
    {
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 28,
      timeout: 60_000,
    },
  );
  return stdout;
}
