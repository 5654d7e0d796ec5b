import { never, type Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';

/** Calls that must come to their end. */
export const stuckCalls: readonly Scenario[] = [
  ...(['before', 'after'] as const).map(
    (when): Scenario => ({
      name: `N4 the process dies as its call begins to wait (${when})`,
      about: 'A call that begins to wait, with its question: it can be answered, or ends.',
      async run({ start, call, sleep, befall }) {
        const first = start('A', { hasWorker: false, faults: befall(/^wait c1-1@1/, { [when]: 'die' }) });
        void call(first, 'ask', 'ask-1', 'c1-1');
        await sleep(1_000);
        start('B');
        await sleep(8_000);
      },
    }),
  ),
  ...['nap', 'ask'].map(
    (tool): Scenario => ({
      name: `N5 the first answer of the store is late (${tool})`,
      about: 'A call with steps runs unrecorded for no reason, or sleeps and waits for ever.',
      async run({ start, call, sleep, desk, befall }) {
        const process = start('A', { faults: befall(/^heartbeat/, { before: { lateMs: 2_300 } }, { times: 4 }) });
        await call(process, tool, `${tool}-1`, 'c1-1');
        await sleep(2_000);
        for (const handle of await desk.questions(process)) await desk.answer(process, handle, { ok: true });
        await sleep(6_000);
      },
    }),
  ),
  {
    name: 'N6 the beginning of a call is lost',
    about: 'Its caller is told that it did not run, and it does not.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, onRun: never, faults: befall(/^begin c1-1/, { before: 'lose' }) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(3_000);
      first.process.crash();
      start('B');
      await sleep(6_000);
    },
  },
  {
    name: 'N6 the answer that a call has begun is late, and its process is cut off',
    about: 'Its caller was refused, and another process finds the call: nobody was told that it has no effect.',
    async run({ start, call, sleep, befall }) {
      const faults = befall(/^begin c1-1/, { after: { lateMs: 5_000 } });
      const first = start('A', { hasWorker: false, faults });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      first.wire.cut(1e9, 'silent');
      start('B');
      await sleep(6_000);
    },
  },
  {
    name: 'an answer that gives a call to a process is lost',
    about: 'The store has given a call that slept to a worker, which has not heard of it and lives on: the call goes on.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false });
      await call(first, 'nap', 'nap-1', 'c1-1');
      first.process.crash();
      await sleep(2_000);
      start('B', { faults: befall(/^takeDue/, { after: 'lose' }) });
      await sleep(20_000);
    },
  },
  {
    name: 'a call goes on with what the one before it was answered',
    about: 'A call with a key was answered and failed: the next one with its key does not wait for an answer that it has.',
    async run({ start, call, sleep, desk, world, complain }) {
      const shop = { isOpen: false };
      const closed = Object.assign(new Error('It is closed.'), { status: 404 });
      const process = start('A', {
        onRun: () => (world.observations.runs.length < 2 || shop.isOpen ? Promise.resolve() : Promise.reject(closed)),
      });
      await call(process, 'askKeyed', 'askKeyed-1', 'c1-1');
      for (const handle of await desk.questions(process)) await desk.answer(process, handle, { ok: true });
      await sleep(3_000);
      shop.isOpen = true;
      const outcome = await call(process, 'askKeyed', 'askKeyed-1', 'c1-2');
      if (outcome?.status !== 'ok') complain('it did not go on');
    },
  },
  ...(['refuse', 'lose'] as const).map(
    (before): Scenario => ({
      name: `N7 the outcome is not written for those who wait by handle (${before})`,
      about: 'One failed write: those who wait by handle learn the outcome all the same.',
      async run({ start, call, sleep, befall }) {
        const process = start('A', { faults: befall(/^end c1-1@/, { before }) });
        await call(process, 'nap', 'nap-1', 'c1-1');
        await sleep(6_000);
      },
    }),
  ),
  {
    name: 'N7 the process dies between the end of a call and what those who wait by handle read',
    about: 'The journal has the end: those who wait by handle learn it too.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { faults: befall(/^end c1-1@/, { before: 'die' }) });
      void call(first, 'nap', 'nap-1', 'c1-1');
      await sleep(3_000);
      start('B');
      await sleep(6_000);
    },
  },
  ...[/^answer /, /^take c1-1/].map(
    (at, place): Scenario => ({
      name: `N11 the process that ${place === 0 ? 'answers a question' : 'goes on with an answer'} dies`,
      about: 'The answer is stored, and nobody was woken: the call goes on.',
      async run({ start, call, sleep, desk, befall }) {
        const faults = befall(at, { after: 'die' });
        const first = start('A', { hasWorker: false, ...(place === 1 && { faults }) });
        await call(first, 'ask', 'ask-1', 'c1-1');
        const second = start('B', { ...(place === 0 && { hasWorker: false, faults }) });
        start('C');
        const [handle = ''] = await desk.questions(second);
        await desk.answer(place === 0 ? second : first, handle, { ok: true });
        await sleep(5_000);
      },
    }),
  ),
  {
    name: 'a worker goes by an old look at a call',
    about: 'It saw the call before that began to wait, and takes it over afterwards: those who wait by handle learn how it ends.',
    async run({ start, call, sleep, desk, world, befall }) {
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(800) });
      const answered = call(first, 'ask', 'ask-1', 'c1-1');
      const second = start('B', { faults: befall(/^takeDue/, { after: { lateMs: 1_900 } }) });
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
      const first = start('A', { hasWorker: false, faults: befall(/^heartbeat/, { before: { lateMs: 2_050 } }) });
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
