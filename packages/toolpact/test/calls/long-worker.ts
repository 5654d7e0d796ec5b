// Makes the calls that it reads from stdin, one JSON object a line, and writes each answer to stdout: long-worker.ts <store and ledger as JSON>
import { createInterface } from 'node:readline';
import { openStore, type StoreAddress } from '../stores/open-store.ts';
import { createLongToolbox } from './long-toolbox.ts';

const { store, ledger } = JSON.parse(process.argv[2] ?? '{}') as { readonly store: StoreAddress; readonly ledger: string };
const opened = openStore(store);
const toolbox = createLongToolbox(opened, ledger);
// Slow first times, such as connecting, are no part of the calls: a store that is late does not defer them.
await opened.get({ space: 'none', tenant: 'none', key: 'none' });
process.stdout.write('{"ready":true}\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { nonce, name, args, context } = JSON.parse(line);
  void toolbox.answer({ name, args }, context).then((outcome) => process.stdout.write(`${JSON.stringify({ nonce, outcome })}\n`));
}
