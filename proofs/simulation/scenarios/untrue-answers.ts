import type { Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';
import { leaseMs } from '../../../packages/testing/src/simulation/world.ts';

const closed = (): Promise<void> => Promise.reject(Object.assign(new Error('There is no such account.'), { status: 404 }));

/** Answers that say something else than what happened. */
export const untrueAnswers: readonly Scenario[] = [
  {
    name: 'N10 a process that stood still ends a call that waits elsewhere',
    about:
      'It took no effect there and fails: neither its caller nor the journal says that nothing happened, and the call that waits goes on.',
    async run({ start, call, sleep, desk, world }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(400).then(closed) });
      const answered = call(first, 'ask', 'ask-1', 'c1-1');
      await sleep(200);
      first.process.pause(6 * leaseMs);
      const second = start('B');
      await answered;
      await sleep(500);
      for (const handle of await desk.questions(second)) await desk.answer(second, handle, { ok: true });
      await sleep(3_000);
    },
  },
  {
    name: 'N15 a process that stood still fails under a key that another one used',
    about: 'Its caller is not told that nothing happened.',
    async run({ start, call, sleep, world }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(400).then(closed) });
      const answered = call(first, 'pay', 'pay-1', 'c1-1');
      await sleep(200);
      first.process.pause(6 * leaseMs);
      const second = start('B', { hasWorker: false });
      await call(second, 'pay', 'pay-1', 'c2-1');
      await answered;
    },
  },
  {
    name: 'N13 a late end replaces the guess of those who waited',
    about: 'Those who wait by handle and those who read the journal are told the same at last.',
    async run({ start, call, sleep, desk, world }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(200) });
      const outcome = await call(first, 'render', 'render-1', 'c1-1');
      first.process.pause(5 * leaseMs);
      const second = start('B', { hasWorker: false });
      if (outcome?.status === 'pending') await desk.wait(second, 'c1-1', outcome.pending.handle, 4 * leaseMs);
      await sleep(4_000);
      if (outcome?.status === 'pending') await desk.wait(second, 'c1-1', outcome.pending.handle, 1_000);
    },
  },
  {
    name: 'a call is answered as cancelled before its start is stored',
    about: 'Whoever reads it later is told the same, or its caller is told that it is not recorded.',
    async run({ start, call, sleep, desk, befall }) {
      const process = start('A', { faults: befall(/^begin c1-1/, { before: 'refuse' }) });
      const answered = call(process, 'order', 'order-1', 'c1-1');
      await sleep(1);
      await desk.cancel(process, 'c1-1');
      await answered;
      await sleep(2_000);
    },
  },
  {
    name: 'a run is resumed whose call was refused, and whose process died before it had listed that',
    about: 'Its caller was told that nothing happens: it does not run later, though its key is free.',
    async run({ start, call, sleep, desk, befall }) {
      const [refuse, die] = [befall(/^begin c1-1/, { before: 'refuse' }), befall(/^end c1-1/, { before: 'die' })];
      const first = start('A', { hasWorker: false, faults: (operation) => refuse(operation) ?? die(operation) });
      await call(first, 'pay', 'pay-1', 'c1-1');
      await sleep(3_000);
      await desk.resume(start('B'), 'run c1');
    },
  },
  {
    name: 'a call is cancelled that waits for another run because its process died',
    about: 'What the process did last has left no trace: nobody is told that the call had no effect.',
    async run({ start, call, sleep, desk, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^stepEnd c1-1@1 open/, { before: 'die' }) });
      void call(first, 'gather', 'gather-1', 'c1-1');
      await sleep(1_000);
      const second = start('B', { faults: befall(/^get record secret/, { before: 'refuse' }) });
      await sleep(3_000);
      await desk.cancel(second, 'c1-1');
    },
  },
];
