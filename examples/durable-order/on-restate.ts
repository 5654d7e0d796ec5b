import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// An order is paid, and then the machine dies. Restate gives the call to the next worker, which goes on where the first one stopped: the
// customer pays once and gets one parcel. Needs Restate: RESTATE_INGRESS and RESTATE_ADMIN say where.

const { RESTATE_INGRESS: ingress = 'http://127.0.0.1:8080', RESTATE_ADMIN: admin = 'http://127.0.0.1:9070' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'durable-order-'));
process.env.LEDGER = join(folder, 'ledger');
writeFileSync(process.env.LEDGER, '');
const { ledger } = await import('./order.ts');
const { createOrders } = await import('./toolbox.ts');

const probe = net.createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address() as AddressInfo;
probe.close();
const startWorker = () => {
  const program = fileURLToPath(new URL('worker.ts', import.meta.url));
  return spawn(process.execPath, [...process.execArgv, program, ingress, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
};

const first = startWorker();
const died = once(first, 'exit');
await once(first.stdout, 'data');
const worker = JSON.stringify({ uri: `http://127.0.0.1:${port}` });
await fetch(`${admin}/deployments`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: worker });

const calling = createOrders(ingress).call('order', { orderId: 'A-1', sku: 'tea' });
assert.equal((await died)[1], 'SIGKILL');
console.log('The worker died. So far:', ledger());
const second = startWorker();
const outcome = await calling;
second.kill();
console.log('The call ended as', outcome.status, JSON.stringify(outcome.status === 'ok' ? outcome.data : outcome));
console.log('What happened:', ledger());

assert.equal(outcome.status, 'ok');
assert.deepEqual(outcome.data, { paid: { amount: 5 }, sent: { parcel: 'P-A-1' } });
assert.equal(ledger().filter((line) => line.startsWith('charged')).length, 1, 'paid once');
assert.equal(ledger().filter((line) => line.startsWith('shipped')).length, 1, 'sent once');
rmSync(folder, { recursive: true, force: true });
