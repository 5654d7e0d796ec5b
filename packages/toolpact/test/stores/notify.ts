// Asks so many questions, or sends what is due, with a webhook: notify.ts <address> <url> <how many, or "look"> [ms that its clock is ahead] ["silent": sends nothing]
import process from 'node:process';
import { createToolbox, createWorker, defineTool } from '../../src/index.ts';
import { webhook } from '../../src/notify/index.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { openStore } from './open-store.ts';

const [address = '', url = '', what = '', ahead = '0', isSilent] = process.argv.slice(2);
const place = JSON.parse(address);
const opened = 'path' in place ? sqliteStore({ ...place, now: () => Date.now() + Number(ahead) }) : openStore(place);
const nothing = async () => ({ notices: [], areLeft: false });
const store =
  isSilent === undefined || opened.calls === undefined ? opened : { ...opened, calls: { ...opened.calls, takeNotices: nothing } };
const pay = defineTool({ name: 'pay', description: 'Pays.', approval: true, steps: true, run: () => 'paid' });
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const toolbox = createToolbox([pay], { store, report: () => undefined, notify: [webhook({ url, secret, name: 'hook' })] });

if (what === 'look') {
  const worker = createWorker(toolbox, { everyMs: 3_600_000 });
  await new Promise((resolve) => {
    process.once('message', resolve);
    process.send?.('ready');
  });
  await worker.look();
  await worker.stop();
} else {
  for (let count = 0; count < Number(what); count += 1) {
    // Each is a question of its own.
    const asked = await toolbox.with({ userId: `${process.pid} ${count}` }).call('pay', {});
    if (asked.status === 'pending') process.send?.(asked.pending.handle);
  }
}
await store.close();
process.disconnect?.();
