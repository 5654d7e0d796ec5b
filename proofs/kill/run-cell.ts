import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quietFrameworks } from '../fixtures/quiet-frameworks.ts';
import { sourceArguments } from '../fixtures/source-arguments.ts';
import type { Variant } from './host.ts';
import { type Cell, judge } from './judge.ts';
import type { LifeFacts } from './life.ts';
import { type Moment, type MomentName, moments } from './moments.ts';
import { startPaymentService } from './payment-service.ts';

/** A run of one host at one moment. */
export interface CellPlan {
  readonly host: string;
  readonly variant: Variant;
  readonly moment: MomentName;
  /** Where PostgreSQL and Restate are, for hosts that need them. */
  readonly servers?: Pick<LifeFacts, 'postgres' | 'restate'>;
}

/** A process that has not come to its end after so long stands still, and is started again. */
const patienceMs = 45_000;
/** How long a host may take to record the first tool's result while the second one waits. */
const recordMs = 1000;
const mostLives = 4;

const program = fileURLToPath(new URL('run-host.ts', import.meta.url));
const histories = fileURLToPath(new URL('../../.cache/kill/', import.meta.url));
const noServers: Pick<LifeFacts, 'postgres' | 'restate'> = { postgres: '', restate: { ingress: '', admin: '' } };

/** Runs one cell: starts the process, kills it as planned, starts it again until it ends, and keeps the history in `.cache/kill`. */
export async function runCell({ host, variant, moment, servers = noServers }: CellPlan): Promise<Cell> {
  const { kills, asks = false, mails = false, losesAnswer = false }: Moment = moments[moment];
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-kill-'));
  const planned = [...kills];
  const startedAt = performance.now();
  let child: ChildProcess | undefined;
  let payAnswered: () => void = () => undefined;
  const firstEnded = new Promise<void>((resolve) => {
    payAnswered = resolve;
  });
  let isKilled = false;
  let isAsked = false;

  const service = await startPaymentService({
    lostAnswers: losesAnswer ? 1 : 0,
    async onSign(sign) {
      if (isKilled) return true;
      if (sign === 'approval asked') isAsked = true;
      if (sign === 'pay answered') payAnswered();
      if (sign.startsWith('run ') || (planned[0] !== sign && planned[0] !== 'any')) return false;
      planned.shift();
      if (sign === 'mail begins') await Promise.race([firstEnded.then(() => sleep(recordMs)), sleep(patienceMs)]);
      isKilled = true;
      service.note({ what: 'killed', at: sign });
      child?.kill('SIGKILL');
      return true;
    },
  });

  let processes = 0;
  const port = await unusedPort();
  const ends = () => service.entries.some(({ what }) => what === 'run ends' || what === 'run fails');
  while (!ends() && processes < mostLives) {
    processes += 1;
    isKilled = false;
    const life: LifeFacts = {
      number: processes,
      variant,
      service: service.origin,
      asks,
      mails,
      isApproved: isAsked,
      folder,
      port,
      ...servers,
    };
    service.note({ what: 'process starts', life: processes });
    const { code, signal, output } = await runProcess(host, life, (started) => {
      child = started;
    });
    service.note({ what: 'process ended', life: processes, code, signal, ...(output !== '' && { output: output.slice(-2000) }) });
    if (isKilled || ends() || service.entries.at(-2)?.what === 'run waits') continue;
    if (code !== null) throw new Error(`${host} ended by itself, with ${code}, and said nothing of its run:\n${output}`);
    service.note({ what: 'stood still', life: processes });
  }
  service.close();
  const cell = judge(service.entries, { processes, ms: Math.round(performance.now() - startedAt) });
  mkdirSync(histories, { recursive: true });
  writeFileSync(
    join(histories, `${host}-${variant}-${moment}.json`),
    `${JSON.stringify({ host, variant, moment, cell, history: service.entries }, undefined, 2)}\n`,
  );
  rmSync(folder, { recursive: true, force: true });
  return cell;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

function runProcess(host: string, life: LifeFacts, onStart: (child: ChildProcess) => void): Promise<Ended> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const child = spawn(process.execPath, [...sourceArguments, program, host, JSON.stringify(life)], {
    cwd: life.folder,
    env: { ...env, ...quietFrameworks },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
    });
  }
  const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(patience);
      resolve({ code, signal, output });
    });
  });
}

function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
