// Calls one key again and again, whose call always ends so that the key is free: fair-worker.ts <store as JSON> <ledger> <name>. Prints its
// name for each run, and writes down where one begins and ends.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createToolbox, defineTool, fail } from '../../src/index.ts';
import { nextTurn } from '../../src/time/index.ts';
import { openStore } from './open-store.ts';

const [address = '{}', ledger = '', name = ''] = process.argv.slice(2);
const store = openStore(JSON.parse(address));
const act = defineTool({
  name: 'act',
  description: 'Fails without an effect.',
  idempotency: { key: () => 'the one key' },
  async run() {
    appendFileSync(ledger, `begin ${name}\n`);
    await nextTurn();
    appendFileSync(ledger, `end ${name}\n`);
    process.stdout.write(`${name}\n`);
    return fail('upstream', 'Again.', { effect: 'none' });
  },
});
const box = createToolbox([act], { store, report: () => undefined });
process.stdin.on('end', () => process.exit(0)).resume();
for (;;) await box.call('act', {}, { timeoutMs: 60_000 });
