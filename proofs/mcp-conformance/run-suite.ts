import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Listening } from '@toolpact/server/node';

/** The official suite's report on the fixture, by the requirements of one revision of the protocol. */
export interface SuiteReport {
  /** 0 when everything that counts for the revision passed. */
  readonly exitCode: number;
  /** The checks of all scenarios that ran, also of those that do not count, such as extensions. */
  readonly passed: number;
  readonly failed: number;
  /** Scenarios with failures that count. */
  readonly failing: readonly string[];
  readonly output: string;
}

export const revisions = ['2025-11-25', '2026-07-28'] as const;

const suite = fileURLToPath(new URL('../peers/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

/** Checks that wait half a second for the first event of a stream: on a busy machine none has come by then, however right it is. */
const hurried = new Set(['sep-2575-server-no-log-without-loglevel', 'sep-2575-http-server-no-independent-requests-on-stream']);
const mostRuns = 4;

/** Runs `@modelcontextprotocol/conformance` against the fixture, as it is started; again where only checks failed that waited too briefly. */
export async function runSuite(revision: (typeof revisions)[number], start: () => Promise<Listening>): Promise<SuiteReport> {
  for (let run = 1; ; run += 1) {
    const { report, failures } = await runOnce(revision, start);
    const counting = failures.filter(({ scenario }) => report.failing.includes(scenario));
    const isLateOnly = counting.length > 0 && counting.every(({ id }) => hurried.has(id));
    if (!isLateOnly || run === mostRuns) return report;
  }
}

/** What the suite wrote about a check that failed. */
interface FailedCheck {
  readonly scenario: string;
  readonly id: string;
}

async function runOnce(
  revision: string,
  start: () => Promise<Listening>,
): Promise<{ readonly report: SuiteReport; readonly failures: readonly FailedCheck[] }> {
  const fixture = await start();
  const results = await mkdtemp(join(tmpdir(), 'toolpact-mcp-'));
  try {
    const args = ['server', '--url', `${fixture.url}/mcp`, '--requirements', revision, '-o', results];
    const { exitCode, output } = await runNode([suite, ...args]);
    const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(output) ?? [];
    const [scored = '', unscored = ''] = output.slice(output.indexOf('=== SUMMARY ===')).split('Not scored for');
    const namesIn = (text: string): string[] => [...text.matchAll(/✗ ([\w-]+)/g)].map(([, name]) => name ?? '');
    const ignored = new Set(namesIn(unscored));
    const failing = namesIn(scored).filter((name) => !ignored.has(name));
    const failures = await readFailures(results);
    const told = failures.filter(({ scenario }) => failing.includes(scenario)).map((failure) => JSON.stringify(failure));
    return {
      report: { exitCode, passed: Number(passed), failed: Number(failed), failing, output: [output, ...told].join('\n') },
      failures,
    };
  } finally {
    await fixture.close({ drainMs: 100 });
    await rm(results, { recursive: true, force: true });
  }
}

/** Reads what the suite wrote about the checks that failed; it prints only how many there were. */
async function readFailures(results: string): Promise<readonly FailedCheck[]> {
  const failures: FailedCheck[] = [];
  for (const folder of await readdir(results)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
    const checks = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8')) as (FailedCheck & {
      readonly status: string;
    })[];
    failures.push(...checks.filter(({ status }) => status === 'FAILURE').map((check) => ({ ...check, scenario })));
  }
  return failures;
}

function runNode(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
