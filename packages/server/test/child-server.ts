// Serves on a free port and prints its address; ends by SIGTERM, gently. Words: the database file, and the time to drain in milliseconds.

import { createToolbox, defineTool } from 'toolpact';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { z } from 'zod';
import { createServer } from '../src/index.ts';
import { listen } from '../src/node/listen.ts';

const [file = ':memory:', drainMs = '1000'] = process.argv.slice(2);
const store = sqliteStore(file);
const begun = (name: string) => process.stdout.write(`begun ${name}\n`);
const stopping = Promise.withResolvers<void>();

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ amount: z.number() }),
  run: ({ amount }) => ({ paid: amount, process: process.pid }),
});
const finish = defineTool({
  name: 'finish',
  description: 'Ends soon after the process was asked to stop.',
  input: z.object({}),
  async run() {
    begun('finish');
    await stopping.promise;
    return { finished: true };
  },
});
const hang = defineTool({
  name: 'hang',
  description: 'Never ends.',
  input: z.object({}),
  run() {
    begun('hang');
    return new Promise(() => {});
  },
});

const toolbox = createToolbox([pay, finish, hang], { report: () => {}, store });
const listening = await listen(createServer(toolbox), { port: 0 });
async function stop(): Promise<void> {
  setImmediate(() => stopping.resolve());
  await listening.close({ drainMs: Number(drainMs) });
  await store.close();
  process.stdout.write('closed\n');
}
process.once('SIGTERM', () => void stop());
process.stdout.write(`listening ${listening.url}\n`);
