// Claims the same keys as other processes do at the same time, and tells how many it got: claim-keys.ts <address> <keys>
import process from 'node:process';
import { openStore } from './open-store.ts';

const [address = '', keys = ''] = process.argv.slice(2);
const store = openStore(JSON.parse(address));
const at = (key: number) => ({ space: 'claim', tenant: 'four', key: `${key}` });

async function claim(): Promise<void> {
  let [won, misled] = [0, 0];
  for (let first = 0; first < Number(keys); first += 500) {
    const results = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => store.put({ ...at(first + index), value: { v: 1, owner: process.pid } }, 0)),
    );
    for (const result of results) {
      if (result.ok) won += 1;
      else if ((result.current?.value as { owner?: number } | undefined)?.owner === process.pid) misled += 1;
    }
  }
  process.send?.({ won, misled });
  // Neither closes nor exits: a store must not keep a process alive.
  process.disconnect();
}
process.once('message', () => void claim());
// Everybody is there before anybody starts.
await store.get(at(0));
process.send?.('ready');
