import type { Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';
import { leaseMs } from '../../../packages/testing/src/simulation/world.ts';

/** Calls that somebody was told to have been stopped. */
export const cancels: readonly Scenario[] = [
  {
    name: 'N3a the process that was asked to stop a call is dead',
    about: 'The request was addressed to a process that died: the one that takes the call over does not run it.',
    async run({ start, call, desk, sleep, world }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(3_000) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      const second = start('B');
      first.process.crash();
      await desk.cancel(second, 'c1-1');
      await sleep(6_000);
    },
  },
  {
    name: 'N3a the process that was asked to stop a call dies once it has heard of it',
    about: 'The request has been taken out of the store, and the process dies before the call has ended: it does not run elsewhere.',
    async run({ start, call, desk, sleep, world, befall }) {
      const first = start('A', {
        hasWorker: false,
        onRun: () => world.sleep(5_000),
        faults: befall(/^end c1-1@1/, { before: 'die' }),
      });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      const second = start('B');
      await desk.cancel(second, 'c1-1');
      await sleep(6_000);
    },
  },
  {
    name: 'N3a the process that was asked to stop a call stands still',
    about: 'It goes on after its lease: neither it nor the one that took the call over does a step.',
    async run({ start, call, desk, sleep, world }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(300) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      first.process.pause(4 * leaseMs);
      const second = start('B');
      await desk.cancel(second, 'c1-1');
      await sleep(8_000);
    },
  },
  {
    name: 'N3b a call begins to wait within the second of grace',
    about: 'It was told to stop: it ends as cancelled, and does not wait.',
    async run({ start, call, desk, sleep, world, complain }) {
      const process = start('A', { onRun: () => world.sleep(300) });
      const answered = call(process, 'askKeyed', 'askKeyed-1', 'c1-1');
      await sleep(100);
      await desk.cancel(process, 'c1-1');
      await answered;
      await sleep(1_000);
      for (const handle of await desk.questions(process)) await desk.answer(process, handle, { ok: true });
      await sleep(2_000);
      if (world.observations.steps.length > 0) complain('it took effect');
    },
  },
  {
    name: 'N3c a call that was taken over is cancelled from a third process',
    about: 'The one who asks is told that it stops, and it stops.',
    async run({ start, call, desk, sleep, world, complain }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(5_000) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      first.process.crash();
      start('B', { onRun: () => world.sleep(5_000) });
      await sleep(3_500);
      const third = start('C', { hasWorker: false });
      if ((await desk.cancel(third, 'c1-1')) !== true) complain('it could not be cancelled');
      await sleep(8_000);
      if (world.observations.steps.length > 0) complain('it took effect');
    },
  },
  {
    name: 'a call is cancelled before it ran, and its process dies',
    about: 'It is in the store, and its process has not heard of that: what goes on with it sees that it was cancelled.',
    async run({ start, call, desk, sleep, befall }) {
      const faults = befall(/^begin c1-1/, { after: { lateMs: 300 } });
      const first = start('A', { hasWorker: false, faults });
      const answered = call(first, 'order', 'order-1', 'c1-1');
      await sleep(50);
      await desk.cancel(first, 'c1-1');
      await answered;
      first.process.crash();
      start('B');
      await sleep(5_000);
    },
  },
  {
    name: 'a call to which nothing was promised is cancelled from the list',
    about: 'Who asks is told that it stops, and it stops.',
    async run({ start, call, desk, sleep, world, complain }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(8_000) });
      const answered = call(first, 'look', 'look-1', 'c1-1');
      await sleep(1_000);
      const second = start('B', { hasWorker: false });
      if ((await desk.cancel(second, 'c1-1')) !== true) complain('it could not be cancelled');
      const outcome = await answered;
      if (outcome?.status !== 'error' || outcome.error.kind !== 'cancelled') complain('it was not cancelled');
    },
  },
  {
    name: 'a process that stood still cancels a call that another one has done',
    about: 'Its caller is not told that nothing happened.',
    async run({ start, call, desk, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^begin c1-1/, { after: { pauseMs: 5 * leaseMs } }) });
      const answered = call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      start('B');
      // Asked while it stood still: it is the first that it does.
      const cancelled = desk.cancel(first, 'c1-1');
      await Promise.all([answered, cancelled]);
    },
  },
  {
    name: 'a call is cancelled at the process that has lost it, while the one that goes on with it stands still',
    about: 'The one that lost it does not say that it was cancelled: the other one may do one more step before it hears of that.',
    async run({ start, call, desk, sleep, world, befall, complain }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(8 * leaseMs) });
      const answered = call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      first.process.pause(3 * leaseMs);
      start('B', { faults: befall(/^stepBegin c1-1@2 ship/, { after: { pauseMs: 2 * leaseMs } }) });
      await sleep(3 * leaseMs);
      await desk.cancel(first, 'c1-1');
      const outcome = await answered;
      if (outcome?.status === 'error' && outcome.error.kind === 'cancelled') complain('its caller was told that it was cancelled');
    },
  },
];
