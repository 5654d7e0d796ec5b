import { never, type Scenario } from '../../../packages/testing/src/simulation/run-scenario.ts';
import { leaseMs } from '../../../packages/testing/src/simulation/world.ts';

/** Calls whose steps must not be done a second time. */
export const stepsDoneAgain: readonly Scenario[] = [
  {
    name: 'N1 the process that goes on with a call dies at its end',
    about: 'A call that slept is done by another process, which dies before the end of the call is stored: no step runs again.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false });
      await call(first, 'nap', 'nap-1', 'c1-1');
      first.process.crash();
      start('B', { faults: befall(/^end c1-1@2 /, { before: 'die' }) });
      await sleep(5_000);
      start('C');
      await sleep(5_000);
    },
  },
  {
    name: 'N1 the process that goes on with a call loses the write of its end',
    about: 'The end of a call that was taken over cannot be written once: resume and rerun do no step again.',
    async run({ start, call, sleep, desk, befall }) {
      const first = start('A', { hasWorker: false, onRun: never });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(200);
      first.process.crash();
      const second = start('B', { faults: befall(/^end c1-1@2 /, { before: 'refuse' }) });
      await sleep(6_000);
      second.process.crash();
      const third = start('C');
      await sleep(4_000);
      await desk.resume(third, 'run c1-1');
      await desk.rerun(third, 'c1-1');
    },
  },
  {
    name: 'N12 a process stands still before its first step',
    about: 'Another process ends the call meanwhile: the first does no step again.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^stepEnd c1-1@1 price/, { before: { pauseMs: 4 * leaseMs } }) });
      const answered = call(first, 'order', 'order-1', 'c1-1');
      start('B');
      await answered;
      await sleep(1_000);
    },
  },
  {
    name: 'the answer that lets a step begin finds a process that stood still',
    about: 'Another process took the call over and did the step: the first one asks again before it does it.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^stepBegin c1-1@1 send/, { after: { pauseMs: 4 * leaseMs } }) });
      const answered = call(first, 'transfer', 'transfer-1', 'c1-1');
      start('B');
      await answered;
      await sleep(1_000);
    },
  },
  {
    name: 'N8 the start of a rerun is not written',
    about: 'A rerun whose start could not be recorded, and the next one: the step that succeeded is not done again.',
    async run({ start, call, desk, complain, befall }) {
      const bank = { isOpen: false };
      const closed = (): Promise<void> => (bank.isOpen ? Promise.resolve() : Promise.reject(new Error('The bank is closed.')));
      const process = start('A', { onRun: closed, faults: befall(/^begin .* instead of c1-1/, { before: 'refuse' }) });
      await call(process, 'order', 'order-1', 'c1-1');
      bank.isOpen = true;
      const outcomes = [await desk.rerun(process, 'c1-1'), await desk.rerun(process, 'c1-1'), await desk.rerun(process, 'c1-1')];
      if (outcomes.filter((outcome) => outcome?.status === 'ok').length !== 1) complain('not exactly one rerun succeeded');
    },
  },
  {
    name: 'a writing step was renamed by a redeploy',
    about: 'The process that takes a call over has another name for a step that took effect: it begins no new step before it finds out.',
    async run({ start, call, sleep, world, complain, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/^stepEnd c1-1@1 charge/, { after: 'die' }) });
      void call(first, 'order', 'order-1', 'c1-1');
      await sleep(2_000);
      if (first.process.isAlive()) complain('the first process did not die');
      start('B', { renamed: { charge: 'charge card' } });
      await sleep(5_000);
      const again = world.observations.steps.filter(({ step }) => step === 'charge card');
      if (again.length > 0) complain('the renamed step ran');
    },
  },
];
