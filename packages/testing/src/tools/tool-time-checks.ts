import { createRunningClock, sleep } from 'toolpact/internal';
import type { InputCase } from './generate/generate-inputs.ts';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { isLate } from './tool-input-checks.ts';
import { clip, summarizeOutcome } from './tool-outcome.ts';
import { type Exchange, notRunText, type ToolTrial } from './tool-trial.ts';

/** A shorter call cannot be stopped. */
const shortMs = 20;

/** Whether a tool ends when it is stopped. These come last: a tool that hangs is left alone afterwards. */
export const toolTimeChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/in-time',
    group: 'time',
    level: 'should',
    requirement: 'Ordinary calls end before the deadline of the trial.',
    why: 'An agent waits for every call. What takes long should be answered as pending and go on.',
    fix: 'Make it faster, give the trial more time (timeoutMs), or declare deferAfterMs.',
    async *run(trial) {
      const exchanges = await trial.exchanges();
      if (exchanges.length === 0) return trial.notRunReason ?? 'no call was made';
      const deferMs = trial.plan?.guardOptions.deferAfterMs;
      if (typeof deferMs === 'number' && deferMs >= trial.options.timeoutMs)
        return `it answers pending after ${deferMs} ms, and the trial waits ${trial.options.timeoutMs} ms`;
      const late = exchanges.find(({ outcome }) => outcome !== undefined && isLate(outcome));
      if (late !== undefined)
        yield { message: `a call took longer than ${trial.options.timeoutMs} ms`, evidence: { input: clip(late.input.args) } };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/deadline',
    group: 'time',
    requirement: 'A call with a deadline is answered by then, whatever the tool does.',
    why: 'A caller that has given up no longer receives an answer.',
    fix: 'Answer when the deadline passes; do not wait for the work.',
    async *run(trial) {
      if (trial.notRunReason !== undefined) return trial.notRunReason;
      const silent = (await trial.exchanges()).find(({ trouble }) => trouble?.sort === 'silent');
      const input = usable(trial);
      const exchange = silent ?? (input && (await trial.ask(input, { timeoutMs: 1 })));
      if (exchange === undefined) return 'no call could be made';
      if (exchange.trouble?.sort === 'silent')
        yield { message: 'no answer came although its deadline had passed', evidence: { input: clip(exchange.input.args) } };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/abort',
    group: 'time',
    requirement: 'A caller that stops a call is freed at once, and a call stopped before it began does not run.',
    why: 'People press stop. Work that continues costs money and blocks the agent.',
    fix: 'Listen to the signal; answer cancelled when it fires.',
    async *run(trial) {
      if (trial.notRunReason !== undefined) return trial.notRunReason;
      const input = usable(trial);
      if (input === undefined) return 'no call could be made';
      const early = await trial.ask(input, { signal: AbortSignal.abort() });
      if (early === undefined) return 'it does not answer any more';
      if (early.outcome?.status === 'ok')
        yield { message: 'a call ran although its caller had stopped it before', evidence: { input: clip(input.args) } };
      const stop = new AbortController();
      const stopped = await Promise.race([trial.ask(input, { signal: stop.signal }), abortAfter(stop, trial)]);
      if (stopped === 'late')
        yield {
          message: `no answer came within ${trial.options.graceMs} ms after the caller had stopped the call`,
          evidence: { input: clip(input.args) },
        };
      else {
        // A call that ended before it could be stopped has its ordinary outcome.
        const ordinary = (await trial.exchanges()).find((exchange) => exchange.input === input);
        yield* [early, stopped].flatMap((exchange) => misnamed(exchange, ordinary));
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/stops',
    group: 'time',
    level: 'should',
    requirement: 'The tool itself stops working soon after its call was stopped.',
    why: 'The caller is free, but the work continues unseen: requests, money, locks.',
    fix: 'Hand ctx.signal on to whatever waits: fetch(url, { signal }), timers, queries.',
    example: 'run: ({ city }, { signal }) => fetch(url, { signal })',
    async *run(trial) {
      const { plan, handler, notRunReason, needsApproval, options } = trial;
      if (handler === undefined) return notRunReason ?? (needsApproval ? notRunText.approval : 'its handler is not in this process');
      if (plan?.needs !== undefined) return 'it needs resources';
      const input = usable(trial);
      if (input === undefined) return 'no call could be made';
      const stop = new AbortController();
      const clock = createRunningClock(options.clock);
      // In an object: a promise that is resolved with another waits for that one.
      const begun = Promise.withResolvers<{ readonly ended: Promise<unknown> }>();
      const run = async (args: never, context: never): Promise<unknown> => {
        const running = (async () => handler(args, context))();
        begun.resolve({ ended: running.catch(() => undefined).then(() => 'ended') });
        return running;
      };
      void trial.callStub(input.args, run, { signal: stop.signal });
      const going = await Promise.race([begun.promise, sleep(options.graceMs, undefined, { clock })]);
      if (going === undefined) return 'it did not begin';
      if ((await Promise.race([going.ended, sleep(shortMs, undefined, { clock })])) === 'ended')
        return 'it was done before it could be stopped';
      stop.abort();
      if ((await Promise.race([going.ended, sleep(options.graceMs, undefined, { clock })])) !== 'ended')
        yield { message: 'it continues after its call was stopped', evidence: { input: clip(input.args) } };
      return undefined;
    },
  }),
];

function usable({ cases }: ToolTrial): InputCase | undefined {
  return cases.find(({ sort }) => sort === 'example' || sort === 'valid');
}

/** Stopped calls may end as they would have, or as cancelled, but not as an error of the tool. */
function misnamed(exchange: Exchange | undefined, ordinary: Exchange | undefined): { message: string; evidence: unknown }[] {
  const outcome = exchange?.outcome;
  if (outcome?.status !== 'error' || !['failed', 'internal', 'invalid_output', 'bad_response'].includes(outcome.error.kind)) return [];
  if (ordinary?.outcome?.status === 'error' && ordinary.outcome.error.kind === outcome.error.kind) return [];
  return [{ message: `a stopped call is called ${outcome.error.kind} instead of cancelled`, evidence: summarizeOutcome(outcome) }];
}

async function abortAfter(stop: AbortController, { options }: ToolTrial): Promise<'late'> {
  const clock = createRunningClock(options.clock);
  await sleep(1, undefined, { clock });
  stop.abort();
  await sleep(options.graceMs, undefined, { clock });
  return 'late';
}
