import type { Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';
import type { StartOptions } from '../../../packages/testing/src/simulation/world.ts';

const closed = (): Promise<void> => Promise.reject(new Error('The bank is closed.'));

/** Keeps calls from running for as long as it is closed. */
const gate =
  (phase: 'policy' | 'limit', state: { readonly isClosed: boolean }): NonNullable<StartOptions['options']> =>
  ({ defineGuard }) => ({
    approvals: { expiresMs: 6_000 },
    use: [
      defineGuard({
        name: 'gate',
        phase,
        around: (call, next) => (state.isClosed ? Promise.resolve(call.refuse('rate_limited', 'Later.', { effect: 'none' })) : next()),
      }),
    ],
  });

/** Calls that need an approval. */
export const approvals: readonly Scenario[] = [
  {
    name: 'a limit keeps an approved call from running',
    about: 'It waits for another try, and ends when its approval can be used no more.',
    async run({ start, call, desk, sleep, world, complain }) {
      const process = start('A', { hasWorker: false, options: gate('limit', { isClosed: true }) });
      await call(process, 'erase', 'erase-1', 'c1-1');
      for (const approval of await desk.approvals(process)) await desk.decide(process, approval, 'approve');
      await call(process, 'erase', 'erase-1', 'c1-2');
      await sleep(8_000);
      if (world.observations.runs.length > 0) complain('it ran');
    },
  },
  {
    name: 'a policy keeps an approved rerun from running',
    about: 'It waits for another try, and can be asked for again.',
    async run({ start, call, desk, sleep, complain }) {
      const state = { isClosed: false };
      let isBroken = true;
      const options = gate('policy', state);
      const process = start('A', { options, onRun: () => (isBroken ? closed() : Promise.resolve()) });
      const approve = async (): Promise<void> => {
        for (const approval of await desk.approvals(process)) await desk.decide(process, approval, 'approve');
      };
      await call(process, 'refund', 'refund-1', 'c1-1');
      await approve();
      await call(process, 'refund', 'refund-1', 'c1-2');
      await desk.rerun(process, 'c1-2');
      await approve();
      state.isClosed = true;
      await desk.rerun(process, 'c1-2');
      await sleep(500);
      [state.isClosed, isBroken] = [false, false];
      const outcome = await desk.rerun(process, 'c1-2');
      if (outcome?.status !== 'ok') complain(`the last rerun was answered: ${outcome?.status}`);
    },
  },
  {
    name: 'N2 a call that was denied is rerun',
    about:
      'An approval was used by a call that failed, and the next call was denied: a rerun of either does not run without being asked for.',
    async run({ start, call, desk, complain }) {
      const bank = { isOpen: false };
      const process = start('A', { onRun: () => (bank.isOpen ? Promise.resolve() : closed()) });
      const decide = async (verdict: 'approve' | 'deny'): Promise<void> => {
        const [waiting] = await desk.approvals(process);
        if (waiting !== undefined) await desk.decide(process, waiting, verdict);
      };
      await call(process, 'refund', 'refund-1', 'c1-1');
      await decide('approve');
      await call(process, 'refund', 'refund-1', 'c1-2');
      await call(process, 'refund', 'refund-1', 'c1-3');
      await decide('deny');
      bank.isOpen = true;
      for (const attempt of ['c1-1', 'c1-2', 'c1-3']) {
        const outcome = await desk.rerun(process, attempt);
        if (outcome?.status === 'ok') complain(`the rerun of ${attempt} ran`);
      }
    },
  },
  {
    name: 'a call is denied that its caller believes not to have been asked',
    about:
      'The store has the question, its caller was refused, and the row of the next call, which was denied, loses its process: nothing runs.',
    async run({ start, call, desk, sleep, world, complain, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^begin c1-1 that waits/, { after: 'fail' }) });
      await call(first, 'refund', 'refund-1', 'c1-1');
      const [waiting] = await desk.approvals(first);
      if (waiting !== undefined) await desk.decide(first, waiting, 'deny');
      const second = start('B', { hasWorker: false, faults: befall(/^end c1-2@1/, { before: 'die' }) });
      await desk.call(second, { tool: 'refund', id: 'refund-1', attempt: 'c1-2', label: 'c1', runId: 'run c1' });
      await sleep(3_000);
      await desk.resume(start('C'), 'run c1');
      if (world.observations.runs.length > 0) complain('it ran');
    },
  },
  {
    name: 'N2 a process dies after its call was recorded and before it asked',
    about: 'A call with a key whose earlier approval was used: the worker that takes it over asks.',
    async run({ start, call, desk, sleep, complain, world, befall }) {
      const first = start('A', { hasWorker: false, onRun: closed });
      await call(first, 'grant', 'grant-1', 'c1-1');
      const [waiting] = await desk.approvals(first);
      if (waiting !== undefined) await desk.decide(first, waiting, 'approve');
      await call(first, 'grant', 'grant-1', 'c1-2');
      const second = start('B', { hasWorker: false, faults: befall(/^begin c2-1 instead of .* that waits/, { after: 'die' }) });
      void call(second, 'grant', 'grant-1', 'c2-1');
      await sleep(500);
      if (second.process.isAlive()) complain('the second process did not die');
      first.process.crash();
      start('C');
      await sleep(5_000);
      if (world.observations.steps.length > 0) complain('it ran');
    },
  },
];
