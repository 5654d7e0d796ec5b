import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';

export interface PauseSettings {
  readonly store: StoreAddress;
  readonly ledger: string;
  readonly leaseMs: number;
}

export const pauseTools = ['steps', 'blind', 'outside'] as const;

/** One call that both workers of a lane make at the same time. */
export interface PauseOrder {
  readonly tool: (typeof pauseTools)[number];
  readonly id: string;
  readonly beforeMs: number;
  readonly afterMs: number;
}

export type PauseReport =
  | { readonly type: 'ready' }
  | {
      readonly type: 'answer';
      readonly tool: PauseOrder['tool'];
      readonly id: string;
      readonly status: string;
      readonly effect: string;
    };

export interface PauseOptions {
  readonly name: string;
  readonly program: string;
  readonly store: StoreAddress;
  readonly folder: string;
  readonly pauses: number;
  readonly leaseMs?: number;
  readonly onPause?: () => void;
}

/** Findings of a lane's pauses: violations as sentences, and how often tools that write outside of steps wrote twice. */
export interface PauseFindings {
  readonly broken: readonly string[];
  readonly doubledOutside: number;
  readonly pauses: number;
  readonly calls: number;
}

/**
 * Lets two processes make the same calls and stops one of them (SIGSTOP) at a random moment for longer than its lease, again and again. The
 * ledger, a file that only tools write, is the truth about what happened.
 */
export async function runPauses({ name, program, store, folder, pauses, leaseMs = 400, onPause }: PauseOptions): Promise<PauseFindings> {
  const ledger = join(folder, `${name}.ledger`);
  writeFileSync(ledger, '');
  const workers = await Promise.all([0, 1].map(() => startWorker(program, { store, ledger, leaseMs })));
  const broken: string[] = [];
  let calls = 0;
  try {
    for (let pause = 0; pause < pauses; pause += 1) {
      const orders = pauseTools.map((tool): PauseOrder => {
        return { tool, id: `${name}-${pause}`, beforeMs: Math.random() * 150, afterMs: Math.random() * 50 };
      });
      const answered = Promise.all(workers.flatMap((worker) => orders.map((order) => worker.call(order))));
      const sleeper = workers[pause % 2];
      await delay(Math.random() * 200);
      sleeper?.process.kill('SIGSTOP');
      await delay(leaseMs * (1.2 + Math.random()));
      sleeper?.process.kill('SIGCONT');
      const answers = await answered;
      calls += answers.length;
      broken.push(...judge(readFileSync(ledger, 'utf8').split('\n'), orders, answers));
      onPause?.();
    }
  } finally {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }
  const lines = readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('outside '));
  const doubledOutside = lines.length - new Set(lines.map((line) => line.split(' ')[1])).size;
  return { broken, doubledOutside, pauses, calls };
}

type Answer = Extract<PauseReport, { type: 'answer' }>;

function judge(ledger: readonly string[], orders: readonly PauseOrder[], answers: readonly Answer[]): string[] {
  return orders.flatMap(({ tool, id }) => {
    const sent = ledger.filter((line) => line.startsWith(`${tool} ${id} `)).length;
    const said = answers.filter((answer) => answer.tool === tool && answer.id === id);
    return [
      ...(sent > 1 && tool !== 'outside' ? [`${tool} ${id} took effect ${sent} times`] : []),
      ...(sent === 0 && said.some(({ status }) => status === 'ok') ? [`${tool} ${id} was answered as ok and did nothing`] : []),
      ...(sent > 0 && said.every(({ effect }) => effect === 'none') ? [`${tool} ${id} took effect and all answers say none`] : []),
    ];
  });
}

interface Worker {
  readonly process: ChildProcess;
  readonly call: (order: PauseOrder) => Promise<Answer>;
}

async function startWorker(program: string, settings: PauseSettings): Promise<Worker> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<string, (answer: Answer) => void>();
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('a worker ended before it was ready')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = JSON.parse(line) as PauseReport;
      if (report.type === 'ready') resolve();
      else waiting.get(`${report.tool} ${report.id}`)?.(report);
    });
  });
  await ready;
  return {
    process: child,
    call: (order) =>
      new Promise((resolve) => {
        waiting.set(`${order.tool} ${order.id}`, resolve);
        child.stdin.write(`${JSON.stringify(order)}\n`);
      }),
  };
}
