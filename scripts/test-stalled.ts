// Runs the unit tests again and again while their processes are stopped for 100 to 300 ms at random moments, as a busy machine does, and
// reports every test whose result was not the same in all runs.
// Usage: node scripts/run.mjs test:stalled [--runs 20] [--seed 1] [files...]
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const runs = Number(values.runs);
const random = createRandom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'toolpact-stalled-'));
const results = new Map<string, Map<string, number>>();
const reasons = new Map<string, string>();
let stalls = 0;

try {
  for (let run = 1; run <= runs; run += 1) {
    const file = join(folder, `${run}.json`);
    const tests = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
        ...['run', '--project', 'unit', '--pool', 'forks', '--reporter', 'json', '--outputFile', file],
        ...positionals,
      ],
      { stdio: 'ignore' },
    );
    await stall(tests);
    const failed = readResults(file);
    console.log(`run ${run} of ${runs}: ${failed} failed, ${stalls} stalls so far`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const different = [...results].filter(([, seen]) => seen.size > 1 || !seen.has('passed'));
for (const [name, seen] of different) {
  console.log(`\n${name}: ${[...seen].map(([status, count]) => `${status} ${count}`).join(', ')}\n  ${reasons.get(name) ?? ''}`);
}
console.log(`\n${results.size} tests, ${runs} runs, ${stalls} stalls: ${different.length} tests failed or differed.`);
process.exitCode = different.length > 0 || results.size === 0 ? 1 : 0;

/** Stops one of the test processes at a time until all have ended. */
async function stall(tests: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => void tests.once('exit', () => resolve()));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await wait(20 + random() * 400);
    const workers = childrenOf(tests.pid);
    const worker = workers[Math.floor(random() * workers.length)];
    if (worker === undefined || !signal(worker, 'SIGSTOP')) continue;
    stalls += 1;
    await wait(100 + random() * 200);
    signal(worker, 'SIGCONT');
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it has ended meanwhile
  }
}

/** Lists the processes that vitest itself has started. Those that tests start are left alone. */
function childrenOf(parent: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Counts what became of each test; gives how many failed. */
function readResults(file: string): number {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  let failed = 0;
  const count = (name: string, status: string, reason: string): void => {
    const seen = results.get(name) ?? new Map<string, number>();
    results.set(name, seen.set(status, (seen.get(status) ?? 0) + 1));
    if (status !== 'passed') {
      failed += 1;
      reasons.set(name, reason.split('\n').slice(0, 6).join('\n  '));
    }
  };
  for (const { name, message, status, assertionResults } of testResults) {
    const place = name.replace(`${join(import.meta.dirname, '..')}/`, '');
    if (assertionResults.length === 0) count(place, status, message);
    for (const one of assertionResults) count(`${place} > ${one.fullName}`, one.status, one.failureMessages?.join('\n') ?? '');
  }
  return failed;
}

/** Draws numbers from 0 to 1; the same seed draws the same ones (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
