import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApiKey } from '@toolpact/server';
import { sourceArguments } from '../fixtures/source-arguments.ts';
import { acts, burst, send, type Target } from './hostile-acts.ts';
import type { Vitals } from './hostile-server.ts';

/** Bounds that hold, however long the load lasts. Sizes in megabytes, times in milliseconds. */
export const bounds = {
  /** The server runs with no more heap than this, so that it dies where it needs more. */
  heap: 256,
  /** The heap after garbage collection: mostly sessions, which wait for their callers and are bounded in number and size. */
  heapAfter: 100,
  /** The files of the store: two shares of the journal, and what is stored besides. */
  disk: 400,
} as const;

/** The observations of a server under hostile load. */
export interface LoadReport {
  readonly seconds: number;
  readonly hostileActs: number;
  /** How the server ended before it was asked to; null where it lived. */
  readonly exit: number | null;
  readonly peakHeap: number;
  readonly peakRss: number;
  readonly heapAfter: number;
  readonly disk: number;
  readonly politeCalls: number;
  /** Ordinary calls that were not answered as they should be. */
  readonly politeFailures: readonly string[];
  readonly politeMedianMs: number;
  readonly politeSlowestMs: number;
  readonly longestStallMs: number;
}

const megabyte = 1024 * 1024;

/** Runs a server in a process of its own under hostile load, next to ordinary calls of another tenant. */
export async function runLoad(seconds: number, onSecond: (line: string) => void = () => undefined): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-load-'));
  try {
    const [polite, hostile] = [createApiKey().key, createApiKey().key];
    const program = fileURLToPath(new URL('hostile-server.ts', import.meta.url));
    const server = await startServer(program, join(folder, 'store.db'), polite, hostile);
    const until = performance.now() + seconds * 1000;
    const watched = watch(server, folder, until, onSecond);
    const [counts, manners] = await Promise.all([
      attack({ url: server.url, key: hostile }, until, server),
      behave({ url: server.url, key: polite }, until),
      watched,
    ]);
    const last = await server.ask('collect');
    const { peakHeap, peakRss, longestStall } = await watched;
    const report: LoadReport = {
      seconds,
      hostileActs: counts,
      exit: server.exit(),
      peakHeap,
      peakRss,
      heapAfter: Math.round((last?.heap ?? 0) / megabyte),
      disk: sizeOf(folder),
      longestStallMs: Math.round(longestStall),
      ...manners,
    };
    await server.stop();
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Server {
  readonly url: string;
  readonly exit: () => number | null;
  readonly ask: (word: 'collect' | 'look') => Promise<Vitals | undefined>;
  readonly stop: () => Promise<void>;
}

async function startServer(program: string, ...words: readonly string[]): Promise<Server> {
  const flags = ['--expose-gc', `--max-old-space-size=${bounds.heap}`, ...sourceArguments];
  const child = spawn(process.execPath, [...flags, program, ...words], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { stdout } = child;
  if (stdout === null) throw new Error('the server cannot be read');
  let url = '';
  for await (const line of createInterface({ input: stdout })) {
    if (!line.startsWith('listening ')) continue;
    url = line.slice('listening '.length);
    break;
  }
  if (url === '') throw new Error('the server did not start');
  stdout.resume();
  return {
    url,
    exit: () => child.exitCode ?? (child.signalCode === null ? null : -1),
    ask: (word) =>
      new Promise((resolve) => {
        child.once('message', (vitals) => resolve(vitals as Vitals));
        void exited.then(() => resolve(undefined));
        if (child.connected) child.send(word);
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Does everything hostile at the same time, again and again, and a thousand calls at once every few seconds. */
async function attack(target: Target, until: number, server: Server): Promise<number> {
  let count = 0;
  const isOver = () => performance.now() > until || server.exit() !== null;
  const lanes = [...Object.values(acts), burst].map(async (act) => {
    while (!isOver()) {
      await act(target);
      count += act === burst ? 1000 : 1;
      if (act === burst) await delay(3000);
    }
  });
  await Promise.all(lanes);
  return count;
}

/** Makes ordinary calls, over HTTP and MCP in turn, and checks their answers. */
async function behave(target: Target, until: number) {
  const times: number[] = [];
  const failures: string[] = [];
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  for (let turn = 0; performance.now() < until; turn += 1) {
    const args = { a: turn, b: 1 };
    const body = JSON.stringify({ jsonrpc: '2.0', id: turn, method: 'tools/call', params: { name: 'add', arguments: args } });
    const from = performance.now();
    const ask = () => (turn % 2 === 0 ? send(target, '/v1/tools/add', JSON.stringify(args)) : send(target, '/mcp', body, headers));
    // A server closes connections that were idle for long; what was sent on one at that moment never arrived, and is sent again, once.
    const answer = (await ask()) ?? (await ask());
    times.push(performance.now() - from);
    const isRight = answer?.status === 200 && answer.text.includes(`"sum":${turn + 1}`);
    if (!isRight) failures.push(`call ${turn}: ${answer?.status ?? 'closed'} ${answer?.text.slice(0, 200) ?? ''}`);
    await delay(20);
  }
  times.sort((a, b) => a - b);
  return {
    politeCalls: times.length,
    politeFailures: failures,
    politeMedianMs: Math.round(times[Math.floor(times.length / 2)] ?? 0),
    politeSlowestMs: Math.round(times.at(-1) ?? 0),
  };
}

/** Looks at the server every second. */
async function watch(server: Server, folder: string, until: number, onSecond: (line: string) => void) {
  let [peakHeap, peakRss, longestStall] = [0, 0, 0];
  while (performance.now() < until && server.exit() === null) {
    const vitals = await server.ask('look');
    if (vitals === undefined) break;
    peakHeap = Math.max(peakHeap, Math.round(vitals.heap / megabyte));
    peakRss = Math.max(peakRss, Math.round(vitals.rss / megabyte));
    longestStall = Math.max(longestStall, vitals.longestStall);
    onSecond(`heap ${Math.round(vitals.heap / megabyte)} MB, rss ${Math.round(vitals.rss / megabyte)} MB, disk ${sizeOf(folder)} MB`);
    await delay(1000);
  }
  return { peakHeap, peakRss, longestStall };
}

/** Returns the size of the store's files in megabytes. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith('store.db'));
  return Math.round(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / megabyte);
}
