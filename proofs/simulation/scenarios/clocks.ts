import { never, type Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';

/** Clocks that are set. */
export const clocks: readonly Scenario[] = [
  {
    name: 'N14 the clock of the machine is set back after a process died',
    about: 'Its call is taken over all the same, after its lease.',
    async run({ start, call, sleep, world, complain }) {
      world.storeMachine.aheadMs += 7_200_000;
      const first = start('A', { hasWorker: false, onRun: never });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(500);
      first.process.crash();
      world.storeMachine.aheadMs -= 7_200_000;
      start('B');
      await sleep(15_000);
      if (world.observations.runs.length < 2) complain('it was not taken over within 15 s');
    },
  },
  {
    name: 'N14 a worker whose clock is ahead finds a call that sleeps',
    about: 'The sleep is as long as it was to be.',
    async run({ start, call, sleep, world, complain }) {
      const first = start('A', { hasWorker: false });
      await call(first, 'nap', 'nap-1', 'c1-1');
      first.process.crash();
      start('B', { machine: { aheadMs: 7_200_000 } });
      await sleep(900);
      if (world.observations.runs.length > 1) complain('it was woken before its time');
      await sleep(5_000);
    },
  },
];
