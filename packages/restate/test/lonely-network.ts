import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import net, { type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A network that has a loopback only. What runs in it reaches nothing else; chosen ports lead in and out. */
export interface LonelyNetwork {
  /** Words that start a program in it. */
  readonly launcher: readonly string[];
  /** Lets programs outside reach a port of a program inside. */
  readonly leadIn: (port: number) => Promise<void>;
  /** Lets programs inside reach a port of a program outside. */
  readonly leadOut: (port: number) => Promise<void>;
  readonly close: () => void;
}

/** Checks whether this machine lets us make one: Linux, and user namespaces or root. */
export function canBeLonely(): boolean {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Makes a network of its own; `folder` is for the sockets through which it is reached. */
export async function createLonelyNetwork(folder: string): Promise<LonelyNetwork> {
  const holder = spawn(
    'unshare',
    ['--user', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await new Promise<void>((resolve) => holder.stdout.once('data', () => resolve()));
  const launcher = ['nsenter', '--target', String(holder.pid), '--user', '--net', '--preserve-credentials', '--'];
  const [enter = '', ...words] = [...launcher, process.execPath, fileURLToPath(new URL('relay.mjs', import.meta.url))];
  const relay = spawn(enter, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(relay.stdout);
  const servers: Server[] = [];
  const children: readonly ChildProcess[] = [relay, holder];
  const kill = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', kill);

  /** Lets the relay inside listen, and waits until it does. */
  const ask = (order: object): Promise<void> =>
    new Promise((resolve) => {
      lines.once('line', () => resolve());
      relay.stdin.write(`${JSON.stringify(order)}\n`);
    });
  const listen = (at: number | string, to: () => Socket): Promise<void> =>
    new Promise((resolve) => {
      const server = net.createServer((incoming) => joinSockets(incoming, to()));
      servers.push(server);
      if (typeof at === 'number') server.listen(at, '127.0.0.1', resolve);
      else server.listen(at, resolve);
    });
  return {
    launcher,
    async leadIn(port) {
      const path = join(folder, `in-${port}.sock`);
      await ask({ listen: path, connect: port });
      await listen(port, () => net.connect(path));
    },
    async leadOut(port) {
      const path = join(folder, `out-${port}.sock`);
      rmSync(path, { force: true });
      await listen(path, () => net.connect(port, '127.0.0.1'));
      await ask({ listen: port, connect: path });
    },
    close() {
      process.off('exit', kill);
      for (const server of servers) server.close();
      kill();
    },
  };
}

function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}
