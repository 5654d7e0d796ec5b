import { never, type Scenario, type Stage } from '../../../packages/testing/src/simulation/run-scenario.ts';
import { leaseMs, type Member } from '../../../packages/testing/src/simulation/world.ts';

/** Returns the states of the calls of a list, without replays. */
async function list({ world }: Stage, member: Member): Promise<readonly string[]> {
  const page = await world.ask(member, () => member.toolbox.calls.list({ limit: 50 }));
  if (page.is !== 'answered') return [page.is];
  return page.value.calls.flatMap(({ tool, status, replayOf }) => (replayOf === undefined ? [`${tool} ${status}`] : []));
}

async function approve({ desk }: Stage, member: Member): Promise<void> {
  const [waiting] = await desk.approvals(member);
  if (waiting !== undefined) await desk.decide(member, waiting, 'approve');
}

/** Calls that are made again, by people who wonder what became of them. */
export const madeAgain: readonly Scenario[] = [
  {
    name: 'D1 a call that was approved and took effect is made again after its process died',
    about: 'No person is asked about what has begun, and it ends well: each step once.',
    async run(stage) {
      const { start, call, complain, befall, sleep } = stage;
      const first = start('A', { hasWorker: false, faults: befall(/^end c1-\S+@/, { before: 'die' }) });
      await call(first, 'grant', 'grant-1', 'c1-1');
      await approve(stage, first);
      void call(first, 'grant', 'grant-1', 'c1-2');
      await sleep(3_000);
      if (first.process.isAlive()) complain('the process did not die');
      const second = start('B', { hasWorker: false });
      const outcome = await call(second, 'grant', 'grant-1', 'c1-3');
      if (outcome?.status !== 'ok') complain(`it was answered: ${outcome?.status}`);
    },
  },
  {
    name: 'D11 a call that was approved is listed once',
    about: 'What took effect once is one call that went well in the list, however often it was asked for.',
    async run(stage) {
      const { start, call, complain } = stage;
      const process = start('A');
      await call(process, 'erase', 'erase-1', 'c1-1');
      await approve(stage, process);
      await call(process, 'erase', 'erase-1', 'c1-2');
      const listed = await list(stage, process);
      if (listed.filter((one) => one === 'erase ok').length !== 1) complain(`the list says ${listed.join(', ')}`);
    },
  },
  {
    name: 'D23 somebody waits by the handle of an approval that was given',
    about: 'Before the call runs it still waits; afterwards whoever has the handle learns how it ended.',
    async run(stage) {
      const { start, call, desk, complain } = stage;
      const [first, second] = [start('A', { hasWorker: false }), start('B', { hasWorker: false })];
      const asked = await call(first, 'erase', 'erase-1', 'c1-1');
      if (asked?.status !== 'pending') return complain('no person was asked');
      await approve(stage, second);
      await call(first, 'erase', 'erase-1', 'c1-2');
      const waited = await desk.wait(second, 'c1-1', asked.pending.handle, 1_000);
      if (waited?.status !== 'ok') complain(`who waits is told: ${waited?.status}`);
    },
  },
  {
    name: 'D24 a call whose process died has been made again',
    about: 'Without a worker: the list does not say for ever that the first one runs.',
    async run(stage) {
      const { start, call, complain, befall } = stage;
      const first = start('A', { hasWorker: false, faults: befall(/^stepEnd c1-1@1 find/, { before: 'die' }) });
      void call(first, 'transfer', 'transfer-1', 'c1-1');
      const second = start('B', { hasWorker: false });
      await stage.sleep(3_000);
      const outcome = await call(second, 'transfer', 'transfer-1', 'c1-2');
      const listed = await list(stage, second);
      if (outcome?.status !== 'ok' || listed.includes('transfer running'))
        complain(`${outcome?.status}; the list says ${listed.join(', ')}`);
    },
  },
  {
    name: 'a key counts for longer than calls are kept',
    about: 'Its call is kept as long: made again, it is not done again.',
    async run({ start, call, sleep }) {
      const first = start('A', { options: () => ({ calls: { keepMs: 1_000 } }) });
      await call(first, 'pay', 'pay-1', 'c1-1');
      await sleep(5_000);
      await call(first, 'pay', 'pay-1', 'c1-2');
    },
  },
  {
    name: 'two people run a call again at once',
    about: 'One of the two reruns runs, and the other one is refused.',
    async run({ start, call, desk, sleep, world }) {
      const first = start('A', { onRun: () => world.sleep(1_500) });
      const answered = call(first, 'order', 'order-1', 'c1-1');
      await sleep(100);
      await desk.cancel(first, 'c1-1');
      await answered;
      const [second, third] = [start('B'), start('C')];
      await Promise.all([desk.rerun(second, 'c1-1'), desk.rerun(third, 'c1-1')]);
      await sleep(2_000);
    },
  },
  {
    name: 'the store is slow to say that a call has begun',
    about: 'The process that has it shows that it lives meanwhile: the call is not given to another one.',
    async run({ start, call, sleep, world, befall, complain }) {
      const faults = befall(/^begin c2-1/, { after: { lateMs: 1_500 } });
      const first = start('A', { hasWorker: false, onRun: () => world.sleep(2_000), faults });
      start('B');
      // Because of this one it shows all the time that it lives.
      void call(first, 'pay', 'pay-1', 'c1-1');
      const outcome = await call(first, 'order', 'order-1', 'c2-1');
      if (outcome?.status !== 'ok') complain(`it was answered: ${outcome?.status}`);
      const runs = world.observations.runs.filter(({ tool }) => tool === 'order');
      if (runs.length !== 1) complain(`it ran at ${runs.map(({ process }) => process).join(' and ')}`);
      await sleep(2_000);
    },
  },
  {
    name: 'D27 a call with an approval is made again after its process died',
    about: 'The approval counts, and no more than the lease is waited for.',
    async run({ start, call, desk, sleep, world, complain }) {
      const first = start('A', { hasWorker: false, onRun: never });
      await call(first, 'grant', 'grant-1', 'c1-1');
      for (const approval of await desk.approvals(first)) await desk.decide(first, approval, 'approve');
      void call(first, 'grant', 'grant-1', 'c1-2');
      await sleep(500);
      first.process.crash();
      const second = start('B');
      const askedAt = world.scheduler.now();
      const outcome = await call(second, 'grant', 'grant-1', 'c1-3');
      if (outcome?.status === 'pending' && outcome.pending.reason === 'approval') complain('it was asked for once more');
      if (world.scheduler.now() - askedAt > 2 * leaseMs) complain(`it took ${Math.round(world.scheduler.now() - askedAt)} ms`);
      await sleep(4_000);
    },
  },
];
