import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Restate, startRestate, unusedPort } from '../../../proofs/fixtures/start-restate.ts';
import type { NodeHandler } from '../src/index.ts';

import { canBeLonely, createLonelyNetwork } from './lonely-network.ts';

const peers = fileURLToPath(new URL('../../../proofs/peers/', import.meta.url));

/** A server of our own, which signs its requests. */
export interface TestRestate extends Restate {
  readonly identityKey: string;
  /** Whether it runs in a network of its own. */
  readonly isLonely: boolean;
  /** Ends it and deletes what it held. */
  readonly remove: () => Promise<void>;
}

/** How a private server is started. */
export interface TestRestateOptions {
  readonly mayBeLonely?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a private server of Restate, which reaches only the workers that are registered here; or all of this machine, where others register. */
export async function startTestRestate({ mayBeLonely = true, settings = {} }: TestRestateOptions = {}): Promise<TestRestate> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-restate-'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'identity.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const ports = { ingress: await unusedPort(), admin: await unusedPort() };
  // The server asks GitHub for its newest release at each start; where possible it reaches nothing but this process.
  const network = mayBeLonely && canBeLonely() ? await createLonelyNetwork(folder) : undefined;
  for (const port of Object.values(ports)) await network?.leadIn(port);
  const restate = await startRestate({
    folder,
    from: peers,
    ports,
    ...(network && { launcher: network.launcher }),
    settings: { ...settings, RESTATE_DEFAULT_NUM_PARTITIONS: '2', RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: keyFile },
  });
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return {
    ...restate,
    identityKey: `publickeyv1_${toBase58(raw)}`,
    isLonely: network !== undefined,
    async register(uri, how) {
      await network?.leadOut(Number(new URL(uri).port));
      await restate.register(uri, how);
    },
    async remove() {
      await restate.stop();
      network?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A worker in this process. */
export interface Worker {
  readonly uri: string;
  /** Counts the bytes that came and went. */
  readonly bytes: () => number;
  readonly close: () => void;
}

/** Serves a handler on a port of its own. */
export async function serveWorker(handler: NodeHandler, version: 1 | 2 = 2): Promise<Worker> {
  const server = version === 2 ? http2.createServer(handler) : http.createServer(handler);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Writes bytes in the form that Restate prints public keys in. */
function toBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${base58[Number(rest % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `${'1'.repeat(Math.max(0, zeros))}${text}`;
}
