import type { Scenario } from '../../packages/testing/src/simulation/run-scenario.ts';

/** Two processes and one call, in as few requests as it takes: small enough to be searched whole. */
export const smallestCases: readonly Scenario[] = [
  {
    name: 'a keyed call',
    about: 'Two processes make the same call with a key at once.',
    async run({ start, call }) {
      const [one, other] = [start('A', { hasWorker: false }), start('B')];
      await Promise.all([call(one, 'pay', 'pay-1', 'c1-1'), call(other, 'pay', 'pay-1', 'c2-1')]);
    },
  },
  {
    name: 'a step that writes',
    about: 'A process runs a call with one step that writes; another one has a worker.',
    async run({ start, call, sleep }) {
      const one = start('A', { hasWorker: false });
      start('B');
      await call(one, 'ship', 'ship-1', 'c1-1');
      await sleep(6_000);
    },
  },
  {
    name: 'an approval',
    about: 'A call is approved in one process, and made again in both at once.',
    async run({ start, call, desk, sleep }) {
      const [one, other] = [start('A', { hasWorker: false }), start('B', { hasWorker: false })];
      await call(one, 'erase', 'erase-1', 'c1-1');
      for (let looks = 0; looks < 3; looks += 1) {
        const [approval] = await desk.approvals(other);
        if (approval !== undefined) await desk.decide(other, approval, 'approve');
        else await sleep(300);
      }
      await Promise.all([call(one, 'erase', 'erase-1', 'c1-2'), call(other, 'erase', 'erase-1', 'c1-3')]);
    },
  },
  {
    name: 'a cancel',
    about: 'A call with one step that writes is cancelled from another process, which has a worker.',
    async run({ start, call, desk, sleep }) {
      const [one, other] = [start('A', { hasWorker: false }), start('B')];
      await Promise.all([call(one, 'ship', 'ship-1', 'c1-1'), sleep(5).then(() => desk.cancel(other, 'c1-1'))]);
      await sleep(6_000);
    },
  },
];
