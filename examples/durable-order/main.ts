import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from 'toolpact';

// An order is paid, and then the machine dies. Another process goes on where it stopped: the customer pays once and gets one parcel.
//   node examples/durable-order/main.ts                                   on SQLite
//   DATABASE_URL=postgres://… node examples/durable-order/main.ts postgres
//   RESTATE_INGRESS=http://127.0.0.1:8080 RESTATE_ADMIN=http://127.0.0.1:9070 node examples/durable-order/main.ts restate

const engine = process.argv[2] ?? 'sqlite';
const folder = mkdtempSync(join(tmpdir(), 'durable-order-'));
process.env.LEDGER = join(folder, 'ledger');
writeFileSync(process.env.LEDGER, '');
const { ledger } = await import('./order.ts');

/** Starts the process that runs the tool. */
function startWorker(...words: string[]) {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('worker.ts', import.meta.url)), engine, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const spoke = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      said += text;
      resolve();
    });
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  return { child, spoke, ended, said: () => said };
}

/** On a store: one process makes the call and dies; the next one makes the same call, and it goes on. */
async function onStore(address: string): Promise<Outcome> {
  assert.equal(await startWorker(address).ended, 'SIGKILL');
  console.log('The process died. So far:', ledger());
  const second = startWorker(address);
  await second.ended;
  return JSON.parse(second.said());
}

/** On Restate: the worker dies; Restate gives the call to the next worker. The caller only waits. */
async function onRestate(): Promise<Outcome> {
  const { toolboxes } = await import('./toolbox.ts');
  const { RESTATE_INGRESS: ingress = 'http://127.0.0.1:8080', RESTATE_ADMIN: admin = 'http://127.0.0.1:9070' } = process.env;
  const port = await unusedPort();
  const first = startWorker(ingress, port);
  await first.spoke;
  const worker = JSON.stringify({ uri: `http://127.0.0.1:${port}` });
  await fetch(`${admin}/deployments`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: worker });
  const calling = toolboxes.restate(ingress).call('order', { orderId: 'A-1', sku: 'tea' });
  assert.equal(await first.ended, 'SIGKILL');
  console.log('The worker died. So far:', ledger());
  const second = startWorker(ingress, port);
  const outcome = await calling;
  second.child.kill();
  return outcome;
}

const outcome = await (engine === 'restate' ? onRestate() : onStore(process.env.DATABASE_URL ?? join(folder, 'orders.db')));
console.log('The call ended as', outcome.status, JSON.stringify(outcome.status === 'ok' ? outcome.data : outcome));
console.log('What happened:', ledger());

assert.equal(outcome.status, 'ok');
assert.deepEqual(outcome.data, { paid: { amount: 5 }, sent: { parcel: 'P-A-1' } });
assert.equal(ledger().filter((line) => line.startsWith('charged')).length, 1, 'paid once');
assert.equal(ledger().filter((line) => line.startsWith('shipped')).length, 1, 'sent once');
rmSync(folder, { recursive: true, force: true });

function unusedPort(): Promise<string> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(String(port)));
    });
  });
}
