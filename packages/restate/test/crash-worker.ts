// A worker of Restate that is killed. It prints the port it listens on: crash-worker.ts <service> <ledger> <lease in ms> <ingress>…
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { restateEndpoint } from '../src/index.ts';
import { createCrashBox } from './crash-box.ts';

const [service = '', ledger = '', leaseMs = '', ...ingress] = process.argv.slice(2);
const die = (): void => void process.kill(process.pid, 'SIGKILL');
const worker = restateEndpoint(createCrashBox(ingress, service, ledger, die), {
  log: () => undefined,
  leaseMs: Number(leaseMs),
});
const server = http2.createServer(worker);
process.once('SIGTERM', () => void worker.drain().then(() => process.exit()));
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
