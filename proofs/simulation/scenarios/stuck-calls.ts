import { allOf, never, type Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';

/** Calls that must come to their end. */
export const stuckCalls: readonly Scenario[] = [
  {
    name: 'N4 the process dies as its call begins to wait',
    about: 'Between the two writes with which a call begins to wait: it can be answered, or ends.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^put pending\//, { before: 'die' }) });
      void call(first, 'ask', 'ask-1', 'c1-1');
      await sleep(1_000);
      start('B');
      await sleep(8_000);
    },
  },
  ...['nap', 'ask'].map(
    (tool): Scenario => ({
      name: `N5 the first answer of the store is late (${tool})`,
      about: 'A call with steps runs unrecorded for no reason, or sleeps and waits for ever.',
      async run({ start, call, sleep, desk, befall }) {
        const process = start('A', { faults: befall(/^(?:add|put) owner\//, { before: { lateMs: 2_300 } }, { times: 4 }) });
        await call(process, tool, `${tool}-1`, 'c1-1');
        await sleep(2_000);
        for (const handle of await desk.questions(process)) await desk.answer(process, handle, { ok: true });
        await sleep(6_000);
      },
    }),
  ),
  {
    name: 'N6 the list of open calls does not take a call',
    about: 'The write is lost, the call goes on, and its process dies: another one finds the call.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, onRun: never, faults: befall(/^put open-call\//, { before: 'lose' }) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(3_000);
      first.process.crash();
      start('B');
      await sleep(6_000);
    },
  },
  {
    name: 'N6 the process dies while the list of open calls is slow',
    about: 'The start of the call is stored, its place in the list of open calls is not: another process finds the call.',
    async run({ start, call, sleep, befall }) {
      const faults = allOf(befall(/^put open-call\//, { before: { lateMs: 500 } }), befall(/^put call-args\//, { after: 'die' }));
      const first = start('A', { hasWorker: false, faults });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      first.wire.cut(1e9, 'silent');
      start('B');
      await sleep(6_000);
    },
  },
  ...[0, 1].map(
    (skip): Scenario => ({
      name: `N7 the outcome is not written for those who wait by handle (${skip + 1})`,
      about: 'One failed write: those who wait by handle learn the outcome all the same.',
      async run({ start, call, sleep, befall }) {
        const process = start('A', { faults: befall(/^put pending\//, { before: 'refuse' }, { skip: 1 + skip }) });
        await call(process, 'nap', 'nap-1', 'c1-1');
        await sleep(6_000);
      },
    }),
  ),
  {
    name: 'N7 the process dies between the end of a call and what those who wait by handle read',
    about: 'The journal has the end: those who wait by handle learn it too.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { faults: befall(/^put pending\//, { before: 'die' }, { skip: 1 }) });
      void call(first, 'nap', 'nap-1', 'c1-1');
      await sleep(3_000);
      start('B');
      await sleep(6_000);
    },
  },
  ...[/^put step\//, /^put pending\//].map(
    (at, place): Scenario => ({
      name: `N11 the process that answers a question dies (${place + 1})`,
      about: 'The answer is stored, and nobody was woken: the call goes on.',
      async run({ start, call, sleep, desk, befall }) {
        const first = start('A');
        await call(first, 'ask', 'ask-1', 'c1-1');
        const second = start('B', { hasWorker: false, faults: befall(at, { after: 'die' }) });
        const [handle = ''] = await desk.questions(second);
        await desk.answer(second, handle, { ok: true });
        await sleep(12_000);
        const again = await desk.questions(first);
        for (const one of again) await desk.answer(first, one, { ok: true });
        await sleep(3_000);
      },
    }),
  ),
  {
    name: 'a worker goes by an old look at a call',
    about: 'It saw the call before that began to wait, and takes it over afterwards: those who wait by handle learn how it ends.',
    async run({ start, call, sleep, desk, world, befall }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(800) });
      const answered = call(first, 'ask', 'ask-1', 'c1-1');
      const second = start('B', { faults: befall(/^get owner\//, { before: { lateMs: 1_900 } }) });
      await answered;
      await sleep(200);
      for (const handle of await desk.questions(first)) await desk.answer(second, handle, { ok: true });
      await sleep(6_000);
    },
  },
  {
    name: 'the first sign of life is late, and the process dies',
    about: 'Nothing was written about the call when its process died: its caller knows that it did not run, or another process finds it.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^put owner\//, { before: { lateMs: 2_050 } }) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      void call(first, 'order', 'order-2', 'c2-1');
      await sleep(2_150);
      first.process.crash();
      start('B');
      await sleep(6_000);
    },
  },
  {
    name: 'a call with an approval and without steps loses its process',
    about: 'Those who wait by the handle of its approval learn that it was interrupted.',
    async run({ start, call, sleep, desk }) {
      const first = start('A', { hasWorker: false });
      await call(first, 'erase', 'erase-1', 'c1-1');
      const second = start('B', { hasWorker: false, onRun: never });
      const [waiting] = await desk.approvals(second);
      if (waiting !== undefined) await desk.decide(second, waiting, 'approve');
      void call(second, 'erase', 'erase-1', 'c1-2');
      await sleep(300);
      second.process.crash();
      await sleep(6_000);
    },
  },
];
