import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** Runs `@modelcontextprotocol/conformance` against the fixture, as it is started. */
export async function runSuite(revision: (typeof revisions)[number], start: () => Promise<Listening>): Promise<SuiteReport> {
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
    return { exitCode, passed: Number(passed), failed: Number(failed), failing, output };
  } finally {
    await fixture.close({ drainMs: 100 });
    await rm(results, { recursive: true, force: true });
  }
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
