import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Workers behind one address, which Restate knows. One that dies is replaced. */
export interface WorkerFleet {
  readonly uri: string;
  /** Kills one of them, as a crash would. */
  readonly kill: (index: number) => void;
  /** Ends one in order and starts another one in its place. */
  readonly restart: (index: number) => Promise<void>;
  readonly close: () => void;
}

export interface FleetOptions {
  readonly size: number;
  /** What `crash-worker.ts` is started with. */
  readonly words: readonly string[];
  readonly onDeath?: () => void;
}

interface Member {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts workers and a balancer that gives each connection to one that lives. */
export async function startWorkerFleet({ size, words, onDeath }: FleetOptions): Promise<WorkerFleet> {
  const members: (Member | undefined)[] = [];
  const children = new Set<ChildProcess>();
  const sockets = new Set<Socket>();
  let isOpen = true;
  let turn = 0;

  async function start(index: number): Promise<void> {
    const child = startWorker(words);
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      members[index] = undefined;
      if (!isOpen) return;
      onDeath?.();
      void start(index);
    });
    await new Promise<void>((resolve) => {
      createInterface(child.stdout).once('line', (port) => {
        members[index] = { child, port: Number(port) };
        resolve();
      });
    });
  }

  const balancer = net.createServer((incoming) => {
    const living = members.filter((member) => member !== undefined);
    turn += 1;
    const member = living[turn % Math.max(1, living.length)];
    if (member === undefined) return incoming.destroy();
    const outgoing = net.connect(member.port, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await Promise.all([
    ...Array.from({ length: size }, (_, index) => start(index)),
    new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve)),
  ]);
  return {
    uri: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    kill: (index) => members[index]?.child.kill('SIGKILL'),
    async restart(index) {
      const child = members[index]?.child;
      members[index] = undefined;
      if (child === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
    close() {
      isOpen = false;
      balancer.close();
      for (const socket of sockets) socket.destroy();
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Starts one worker, which prints the port it listens on. */
function startWorker(words: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const hooks = new URL('../../bench/resolve-peers.ts', import.meta.url).href;
  const program = fileURLToPath(new URL('../engines/crash-worker.ts', import.meta.url));
  const { NODE_OPTIONS: _, ...env } = process.env;
  const NODE_COMPILE_CACHE = join(tmpdir(), 'toolpact-compile-cache');
  return spawn(process.execPath, ['--no-warnings', '--import', hooks, program, ...words], {
    env: { ...env, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
