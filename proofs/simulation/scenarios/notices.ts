import type { Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';

/** Questions of which somebody is told. */
export const notices: readonly Scenario[] = [
  {
    name: 'a process dies with a question of which nobody was told',
    about:
      'The question is in the store, and its process dies before it sends anything; the next process only has a worker, and tells of it.',
    hasNotifier: true,
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^begin c1-1 that waits/, { after: 'die' }) });
      await call(first, 'erase', 'erase-1', 'c1-1');
      start('B');
      await sleep(3_000);
    },
  },
  {
    name: 'a process dies between telling and writing that it told',
    about: 'Whoever was told had answered, and nobody knows: it is told again, later, by another process and under the same id.',
    hasNotifier: true,
    async run({ start, call, sleep, befall, world, complain }) {
      const first = start('A', { hasWorker: false, faults: befall(/^settleNotice/, { before: 'die' }) });
      await call(first, 'erase', 'erase-1', 'c1-1');
      start('B');
      await sleep(70_000);
      const told = world.observations.notices.map(({ id, process }) => `${id} ${process}`);
      if (told.length !== 2 || new Set(told.map((text) => text.split(' ')[0])).size !== 1) complain(`it was told by ${told.join(', ')}`);
    },
  },
  {
    name: 'a process stands still while it tells, and another one takes over',
    about: 'It goes on when another process has told the same: what it writes then about its own try changes nothing.',
    hasNotifier: true,
    async run({ start, call, sleep, befall, desk }) {
      const first = start('A', { hasWorker: false, faults: befall(/^takeNotices/, { after: { pauseMs: 65_000 } }, { skip: 1 }) });
      void call(first, 'erase', 'erase-1', 'c1-1');
      await sleep(500);
      const second = start('B');
      await sleep(64_000);
      const [waiting] = await desk.approvals(second);
      if (waiting !== undefined) await desk.decide(second, waiting, 'deny');
      await sleep(10_000);
    },
  },
];
