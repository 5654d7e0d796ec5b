// One server of a fleet on PostgreSQL, with its worker. It prints the port that it listens on, and ends in order on SIGTERM: postgres-member.ts <settings as JSON>
import process from 'node:process';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, createWorker } from 'toolpact';
import { createCrashTool } from '../../packages/restate/test/crash-tool.ts';
import { openStore } from '../../packages/toolpact/test/stores/open-store.ts';
import type { PostgresMember } from './run-postgres-fleet.ts';

const { store: address, ledger, leaseMs } = JSON.parse(process.argv[2] ?? '{}') as PostgresMember;
const store = openStore(address);
const toolbox = createToolbox([createCrashTool({ ledger }), createCrashTool({ name: 'order_later', ledger, deferAfterMs: 100 })], {
  store,
  calls: { leaseMs },
  report: () => undefined,
});
const server = await listen(createServer(toolbox, { auditLog: false }), { port: 0 });
const worker = createWorker(toolbox, { concurrency: 50, everyMs: 250 });
async function end(): Promise<void> {
  await Promise.all([server.close({ drainMs: 60_000 }), worker.stop()]);
  await store.close();
  process.exit();
}
process.once('SIGTERM', () => void end());
console.log(server.port);
