import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { openStore, type StoreAddress } from '../packages/toolpact/test/stores/open-store.ts';
import type { Finding } from './finding.ts';
import { payingBox } from './ledgers.ts';

/** Lets four processes make the same calls at the same time and counts how often the tool ran. Each runs `script`, which must call `makeCalls`. */
export async function countWinners(name: string, script: string, address: StoreAddress, keys: number): Promise<Finding> {
  const words = ['--claimer', JSON.stringify(address), '--keys', `${keys}`];
  const children = Array.from({ length: 4 }, () => fork(script, words));
  await Promise.all(children.map((child) => once(child, 'message')));
  const answers = children.map((child) => once(child, 'message'));
  const startedAt = performance.now();
  for (const child of children) child.send('go');
  const told = (await Promise.all(answers)).map(([answer]) => answer as { ran: number; answered: number });
  const seconds = (performance.now() - startedAt) / 1000;
  const ran = told.reduce((sum, answer) => sum + answer.ran, 0);
  const answered = told.reduce((sum, answer) => sum + answer.answered, 0);
  return {
    name: `${name}: ${keys.toLocaleString('en')} keys`,
    found: `${ran.toLocaleString('en')} runs, ${answered.toLocaleString('en')} answers in ${seconds.toFixed(1)} s (${told.map((answer) => answer.ran).join(' + ')})`,
    target: `${keys.toLocaleString('en')} runs, ${(4 * keys).toLocaleString('en')} answers`,
    met: ran === keys && answered === 4 * keys,
  };
}

/** Is one of the four. */
export async function makeCalls(address: StoreAddress, keys: number): Promise<void> {
  const store = openStore(address);
  await store.get({ space: 'claim', tenant: 't', key: 'none' });
  let ran = 0;
  const box = payingBox(store, () => {
    ran += 1;
  });
  process.send?.('ready');
  await once(process, 'message');
  let answered = 0;
  for (let first = 0; first < keys; first += 500) {
    const orders = Array.from({ length: Math.min(500, keys - first) }, (_, index) => `${first + index}`);
    const outcomes = await Promise.all(orders.map((order) => box.call('pay', { order, amount: 1 })));
    answered += outcomes.filter(({ status }) => status === 'ok').length;
  }
  await new Promise<void>((resolve) => process.send?.({ ran, answered }, () => resolve()));
  await store.close();
}
