// A worker of Restate that is killed. It prints the port it listens on.
// Usage: node --import ./bench/resolve-peers.ts test/engines/crash-worker.ts <service> <ledger>
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { restateEndpoint } from '../../src/parts/engines/index.ts';
import { createCrashBox } from './crash-tool.ts';

const [service = '', ledger = ''] = process.argv.slice(2);
const die = (): void => void process.kill(process.pid, 'SIGKILL');
const box = createCrashBox(['http://127.0.0.1:1'], service, ledger, die);
const server = http2.createServer(restateEndpoint(box, { log: () => undefined }));
const sessions = new Set<http2.ServerHttp2Session>();
server.on('session', (session) => {
  sessions.add(session);
  session.once('close', () => sessions.delete(session));
});
// In order: what runs here ends here, and what comes next goes to another worker.
process.once('SIGTERM', () => {
  server.close(() => process.exit());
  for (const session of sessions) session.close();
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
