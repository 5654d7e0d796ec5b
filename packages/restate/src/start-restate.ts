import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { ToolpactError } from 'toolpact';
import { refuseOptions, sleep } from 'toolpact/internal';

/** How a server for development is started. */
export interface StartRestateOptions {
  /** Where it keeps everything. */
  readonly folder: string;
  /** From which folder the package `@restatedev/restate-server` is looked up. @default the working directory */
  readonly from?: string;
  /** @default unused ones */
  readonly ports?: Partial<RestatePorts>;
  /** Words that start the program in a place of its own, such as a network namespace. @default none */
  readonly launcher?: readonly string[];
  /** More settings of the server, as environment variables (`RESTATE_…`). */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The ports a server listens on, all of them on this machine only. */
export interface RestatePorts {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

/** How a worker is registered. */
export interface RegisterOptions {
  /** Whether the worker speaks HTTP/1.1 only. @default false */
  readonly useHttp11?: boolean;
}

/** A server of our own. */
export interface Restate {
  readonly ingress: string;
  /** Where workers are registered, and where the page of the server is (`/ui`). */
  readonly admin: string;
  /** Registers a worker, or an address behind which several are. */
  readonly register: (uri: string, options?: RegisterOptions) => Promise<void>;
  /** Ends the server, at once as a crash would, or in order. */
  readonly stop: (how?: 'crash' | 'in order') => Promise<void>;
  /** Starts it again at the same addresses, with what it held. */
  readonly start: () => Promise<void>;
}

/**
 * Starts the server of the package `@restatedev/restate-server` on this machine's loopback, for development and tests. Its telemetry is off; it
 * still asks GitHub for its newest release at each start, which has no switch.
 */
export async function startRestate(options: StartRestateOptions): Promise<Restate> {
  refuseOptions<StartRestateOptions>('startRestate', options, {
    folder: true,
    from: true,
    ports: true,
    launcher: true,
    settings: true,
  });
  const { folder, from = process.cwd(), launcher = [], settings = {} } = options;
  const binary = findBinary(from);
  mkdirSync(folder, { recursive: true });
  const [ingress, admin, node] = await Promise.all(
    (['ingress', 'admin', 'node'] as const).map(async (name) => options.ports?.[name] ?? unusedPort()),
  );
  const env = {
    PATH: process.env.PATH,
    RESTATE_DISABLE_TELEMETRY: 'true',
    DO_NOT_TRACK: '1',
    RESTATE_NODE_NAME: 'toolpact',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_ADVERTISED_HOST: '127.0.0.1',
    RESTATE_BIND_PORT: String(node),
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    ...settings,
  };
  const urls = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const kill = (): void => void child?.kill('SIGKILL');
  process.once('exit', kill);

  async function start(): Promise<void> {
    const [program = binary, ...args] = [...launcher, binary, '--no-logo', '--base-dir', folder, '--log-disable-ansi-codes', 'true'];
    const started = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let log = '';
    const keep = (chunk: unknown): void => {
      log = (log + String(chunk)).slice(-10_000);
    };
    started.stdout.on('data', keep);
    started.stderr.on('data', keep);
    ended = new Promise((resolve) => started.once('exit', resolve));
    while (!(await isUp(`${urls.ingress}/restate/health`)) || !(await isUp(`${urls.admin}/health`))) {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error(`Restate did not start: ${log}`);
      await sleep(20);
    }
  }

  await start();
  return {
    ...urls,
    start,
    register: (uri, how) => registerWorker(urls.admin, uri, how),
    async stop(how = 'crash') {
      process.off('exit', kill);
      child?.kill(how === 'crash' ? 'SIGKILL' : 'SIGTERM');
      await ended;
    },
  };
}

/** Registers a worker, or an address behind which several are, with the server at an address; one that is known already takes the place of itself. */
function registerWorker(admin: string, uri: string, { useHttp11 = false }: RegisterOptions = {}): Promise<void> {
  return sendWorker('POST', `${admin}/deployments`, { uri, force: true, breaking: true, use_http_11: useHttp11 });
}

/**
 * Registers the only worker of a server for development, in place of the one before: a call stays with the registration that it began with, so the
 * new worker goes on with the calls of one that is gone.
 */
export async function moveWorker(admin: string, uri: string): Promise<void> {
  const response = await fetch(`${admin}/deployments`);
  if (!response.ok) throw new Error(`Restate does not list its workers: ${(await response.text()).slice(0, 2_000)}`);
  const { deployments } = (await response.json()) as {
    readonly deployments: readonly { readonly id: string; readonly created_at: string }[];
  };
  const [newest] = [...deployments].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  if (newest === undefined) await registerWorker(admin, uri);
  else await sendWorker('PATCH', `${admin}/deployments/${newest.id}`, { uri, overwrite: true });
}

async function sendWorker(
  method: 'POST' | 'PATCH',
  url: string,
  worker: { readonly uri: string; readonly [field: string]: unknown },
): Promise<void> {
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(worker) });
  if (!response.ok) throw new Error(`Restate does not accept the worker at ${worker.uri}: ${(await response.text()).slice(0, 2_000)}`);
  await response.body?.cancel();
}

function findBinary(from: string): string {
  const packageName = '@restatedev/restate-server';
  try {
    const fromServer = createRequire(createRequire(join(from, 'package.json')).resolve(`${packageName}/package.json`));
    return fromServer.resolve(`${packageName}-${platform()}-${arch()}/bin/restate-server`);
  } catch (cause) {
    throw new ToolpactError(
      'missing_package',
      `A server of Restate needs the package ${packageName}: npm install --save-dev ${packageName}`,
      { package: packageName },
      { cause },
    );
  }
}

/** Returns a free port of this machine. */
export function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function isUp(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
