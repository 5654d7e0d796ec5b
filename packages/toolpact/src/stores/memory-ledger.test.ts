import { test } from 'vitest';
import { compareWithModel } from '../../../../proofs/fixtures/compare-ledger.ts';
import type { Ledger } from '../ports/index.ts';
import { memoryStore } from './memory.ts';

/** A ledger whose clock the test moves. */
function movedLedger() {
  let time = 1_000_000;
  const { calls } = memoryStore({ now: () => time });
  const clock = {
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
  };
  return { connections: [calls as Ledger], clock };
}

test('answers as the model of the port, whatever it is asked', async () => {
  await compareWithModel(movedLedger(), 1000);
});

test('answers as the model by its own clock', async () => {
  await compareWithModel({ connections: [memoryStore().calls as Ledger] }, 300);
});
