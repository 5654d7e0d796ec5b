import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import net, { type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { sourceArguments } from '../fixtures/source-arguments.ts';

/** Processes behind one address. One that dies is replaced. */
export interface MemberFleet {
  readonly uri: string;
  /** Lets only one of them have connections from now on; those of the others break, and their processes live on. */
  readonly cutOff: (all: { readonly but: number }) => void;
  /** Kills one of them, as a crash would. */
  readonly kill: (index: number) => void;
  /** Ends one in order and starts another one in its place. */
  readonly restart: (index: number) => Promise<void>;
  readonly close: () => void;
}

export interface MemberOptions {
  readonly size: number;
  /** The file of the program, made by `bundleProgram`. It prints the port that it listens on. */
  readonly program: string;
  readonly words: readonly string[];
  readonly onDeath?: () => void;
}

interface Member {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts processes and a balancer that gives each connection to one that lives. */
export async function startMembers({ size, program, words, onDeath }: MemberOptions): Promise<MemberFleet> {
  const members: (Member | undefined)[] = [];
  const started: Promise<void>[] = [];
  const children = new Set<ChildProcess>();
  const sockets = new Map<Socket, Member>();
  let isOpen = true;
  let turn = 0;
  let chosen: number | undefined;

  async function start(index: number): Promise<void> {
    const child = startMember(program, words);
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      members[index] = undefined;
      if (!isOpen) return;
      onDeath?.();
      started[index] = start(index);
    });
    await new Promise<void>((resolve) => {
      createInterface(child.stdout).once('line', (port) => {
        members[index] = { child, port: Number(port) };
        resolve();
      });
    });
  }

  const balancer = net.createServer((incoming) => {
    const living = members.filter((member, index) => member !== undefined && (chosen ?? index) === index) as Member[];
    turn += 1;
    const member = living[turn % Math.max(1, living.length)];
    if (member === undefined) return incoming.destroy();
    const outgoing = net.connect(member.port, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.set(from, member);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  for (let index = 0; index < size; index += 1) started[index] = start(index);
  await Promise.all([...started, new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))]);
  return {
    uri: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    cutOff({ but }) {
      chosen = but;
      for (const [socket, member] of sockets) if (member !== members[but]) socket.destroy();
    },
    kill: (index) => members[index]?.child.kill('SIGKILL'),
    async restart(index) {
      // One that was killed before is on its way back.
      await started[index];
      const child = members[index]?.child;
      members[index] = undefined;
      if (child === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await started[index];
    },
    close() {
      isOpen = false;
      balancer.close();
      for (const socket of sockets.keys()) socket.destroy();
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

function startMember(program: string, words: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  // Packages loaded by a computed name, which no bundler sees, are in proofs/peers.
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawn(process.execPath, [...sourceArguments, program, ...words], {
    env: { ...env, NODE_COMPILE_CACHE: `${program}.compiled` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
