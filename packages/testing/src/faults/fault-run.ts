import type { RunContext, RunStep, StepRunContext } from 'toolpact';
import { type FailOptions, type FailureKind, type JsonObject, ToolFailure, ToolpactError } from 'toolpact';
import { isFailureKind, sleep } from 'toolpact/internal';
import { checkFields, checkForm, type FaultDraw, type FaultPhase, type FaultTarget, isDelay } from './fault-plan.ts';
import { type MalformedAnswer, malformedAnswers } from './malformed-answers.ts';

/** Where a process can die in the course of a call. */
export type CrashMoment = 'before-run' | 'after-effect' | 'before-settle';

const crashMoments: readonly CrashMoment[] = ['before-run', 'after-effect', 'before-settle'];

/** A fault that strikes a run of a tool: exactly one of these. */
export type ToolFault = FaultTarget &
  (
    | ({
        /** A failure of this kind. Before the tool starts its effect is `none`, unless stated. */
        readonly kind: FailureKind;
        readonly message?: string;
        readonly at?: FaultPhase;
      } & Omit<FailOptions, 'cause' | 'failures'>)
    | {
        /** Anything that code can throw; a function makes it. */
        readonly throws: unknown;
        readonly at?: FaultPhase;
      }
    | {
        /** Never answers, deaf to its signal, or only `'until-aborted'`. */
        readonly hang: true | 'until-aborted';
        readonly at?: FaultPhase;
      }
    | {
        /** How many milliseconds later it answers. */
        readonly slowMs: number;
        readonly at?: FaultPhase;
      }
    | {
        /** Answers with something that no tool should. */
        readonly answer: MalformedAnswer;
        readonly at?: FaultPhase;
      }
    | {
        /**
         * Dies before the tool runs; as soon as a step of it has changed something, or when it ends without one; or when it has ended and
         * its result is not yet kept.
         */
        readonly crash: CrashMoment;
        /** Ends the process, in whatever way the test wants. Where it does not, the run fails as `interrupted`. */
        readonly onCrash?: (moment: CrashMoment) => void;
      }
  );

/** A tool as a fault sees it. */
export interface FaultyTool {
  readonly name: string;
  readonly run: (input: never, context: never) => unknown;
  readonly output: () => JsonObject | undefined;
}

/** Creates a run that faults strike. A run that none strikes is the tool's own. */
export function faultyRun({ name, run, output }: FaultyTool, draw: FaultDraw<ToolFault>): FaultyTool['run'] {
  return (input, context) => {
    const fault = draw.next(name);
    if (fault === undefined) return run(input, context);
    if ('crash' in fault) return crashing(fault, (own) => run(input, own as never), context);
    return struck(fault, () => run(input, context), context, output);
  };
}

/** The values that a field of a fault may hold. */
const forms: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, wanted: string]>> = {
  kind: [isFailureKind, 'a kind of failure'],
  throws: [() => true, 'anything'],
  hang: [(value) => value === true || value === 'until-aborted', "true or 'until-aborted'"],
  slowMs: [isDelay, 'milliseconds from 0'],
  answer: [(value) => Object.hasOwn(malformedAnswers, String(value)), `one of ${Object.keys(malformedAnswers).join(', ')}`],
  crash: [(value) => crashMoments.includes(value as CrashMoment), `one of ${crashMoments.join(', ')}`],
};
const ofKind = ['message', 'code', 'data', 'details', 'effect', 'errorType', 'issues', 'retryable', 'retryAfterMs', 'upstream'];

/** Throws at once for a fault that names no effect, or two, and for one with a misspelt field. */
export function checkToolFault(fault: ToolFault): void {
  const form = checkForm(fault, forms, 'a fault');
  const known = ['at', ...(form === 'kind' ? ofKind : []), ...(form === 'crash' ? ['onCrash'] : [])];
  checkFields(fault, [form, ...known], 'a fault');
  const { at = 'before' } = fault as { at?: unknown };
  if (!['before', 'during', 'after'].includes(String(at)))
    throw new ToolpactError('invalid_option', '`at` of a fault must be before, during or after', { option: 'at' });
}

type Striking = Exclude<ToolFault, { readonly crash: CrashMoment }>;

async function struck(fault: Striking, run: () => unknown, { signal }: RunContext, output: FaultyTool['output']): Promise<unknown> {
  const { at = 'before' } = fault;
  if ('slowMs' in fault) {
    if (at === 'before') await pause(fault.slowMs, signal);
    const [result] = await Promise.all([run(), ...(at === 'during' ? [pause(fault.slowMs, signal)] : [])]);
    if (at === 'after') await pause(fault.slowMs, signal);
    return result;
  }
  if (at === 'during') void started(run).catch(() => undefined);
  if (at === 'after') {
    const result = await run();
    // The failure that the tool itself gives counts more than the one that the fault would make.
    if (result instanceof Error) return result;
  }
  if ('kind' in fault) throw failureOf(fault, at);
  if ('throws' in fault) throw typeof fault.throws === 'function' ? (fault.throws as () => unknown)() : fault.throws;
  if ('answer' in fault) return malformedAnswers[fault.answer](output());
  return fault.hang === true ? new Promise(() => undefined) : untilAborted(signal);
}

async function started(run: () => unknown): Promise<unknown> {
  return run();
}

function failureOf(fault: Extract<Striking, { readonly kind: FailureKind }>, at: FaultPhase): ToolFailure {
  const {
    kind,
    message = `This failure was made up: ${kind}.`,
    tool: _,
    call: _call,
    every: _every,
    rate: _rate,
    at: _at,
    ...options
  } = fault;
  return new ToolFailure(kind, message, { ...(at === 'before' && { effect: 'none' }), ...options });
}

async function crashing(
  { crash, onCrash }: Extract<ToolFault, { readonly crash: CrashMoment }>,
  run: (context: object) => unknown,
  context: RunContext,
): Promise<unknown> {
  const die = (): never => {
    onCrash?.(crash);
    throw new ToolFailure('interrupted', `The process was made to die: ${crash.replace('-', ' ')}.`, {
      details: { crash },
      ...(crash === 'before-run' && { effect: 'none' }),
    });
  };
  if (crash === 'before-run') return die();
  const result = await run(crash === 'after-effect' ? dyingAfterStep(context, die) : context);
  if (result instanceof Error) return result;
  return die();
}

/** Not a copy: a context keeps what belongs to its call in private fields. */
function dyingAfterStep(context: RunContext, die: () => never): object {
  return new Proxy(context, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== 'step' || value === undefined) return value;
      const { step } = target as StepRunContext;
      const last: RunStep = async (name, fn, options) => {
        const result = await step(name, fn, options);
        return options?.effects === 'none' ? result : die();
      };
      return last;
    },
  });
}

/** Waits for a time; rejects with the reason of the signal when it fires earlier. */
export async function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await sleep(ms, signal);
  if (signal?.aborted === true) throw signal.reason;
}

/** Waits for nothing but the signal. */
export function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
