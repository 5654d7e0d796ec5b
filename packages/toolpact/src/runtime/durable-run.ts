import { classify } from '../classify/index.ts';
import { isolate } from '../events/index.ts';
import { isThenable, peek } from '../json/index.ts';
import { type Failure, fail, type Pending, type PendingReply, pending, ToolpactError } from '../outcome/index.ts';
import { type CallMemory, changedTool, type StepEnd, type StepEntry } from '../ports/index.ts';
import { elapsedMs, nextTurn, sleep } from '../time/index.ts';
import { beginStep } from './begin-step.ts';
import type { Call } from './call.ts';
import { classifyHints } from './outcomes/classify-hints.ts';
import type { StepRun } from './steps.ts';

/** For so long a tool that waits may do nothing that its memory sees, before its run ends. */
const idleMs = 1000;
/** So many characters the result of a step may have at least: the tool reads it, and no model does. */
const leastStepChars = 262_144;

/**
 * Makes of a memory what a call with steps runs on: it reads the memory first, ends as `pending` when the tool sleeps or waits, and compares
 * what the tool asked for with what is recorded. Guards bring it along, so that an application without a memory does not load it.
 */
export function toDurableRun(call: Call, memory: CallMemory): StepRun {
  const waits = new Map<string, number>();
  let attempt = 0;
  let underWay = 0;
  let asked: Pending | undefined;
  /** How many results the tool has been given, and how many when the first of the waits began that are not over. */
  let given = 0;
  let givenBefore = Number.POSITIVE_INFINITY;
  let suspend: (reply: PendingReply) => void;
  const suspended = new Promise<PendingReply>((resolve) => {
    suspend = resolve;
  });

  /** Lets what is under way end before the call answers `pending`: it is not broken off. */
  function leave(): void {
    underWay -= 1;
    if (asked !== undefined && underWay === 0) void suspendIdle(asked);
  }

  /** Ends this run once the tool can do nothing but wait. One that was given something beside what it waits for has some time to use it. */
  async function suspendIdle(reply: Pending): Promise<void> {
    const seen = given;
    await nextTurn();
    if (seen > givenBefore) await sleep(idleMs, call.signal);
    if (seen === given && underWay === 0) suspend(pending(reply));
  }

  /** Takes what the memory says of a wait: it is over, or the call answers `pending` and this run ends. */
  async function wait<TDone extends object | undefined>(name: string, ask: (id: string) => Promise<TDone | Pending>): Promise<TDone> {
    if (attempt !== call.attempts) waits.clear();
    attempt = call.attempts;
    const occurrence = (waits.get(name) ?? 0) + 1;
    waits.set(name, occurrence);
    const before = given;
    underWay += 1;
    try {
      call.signal.throwIfAborted();
      const found = await ask(`${occurrence}:${name}`);
      if (found === undefined || !('handle' in found)) {
        given += 1;
        return found as TDone;
      }
      // A call that was told to stop does not begin to wait.
      call.signal.throwIfAborted();
      givenBefore = Math.min(givenBefore, before);
      // A question can be answered; the end of a sleep only comes.
      if (asked?.reason !== 'input') asked = found;
    } finally {
      leave();
    }
    return new Promise(() => undefined);
  }

  return {
    get callName() {
      return memory.callName;
    },
    run(handler) {
      const value = handler();
      if (!isThenable(value)) return value;
      const ended = Promise.resolve(value).then((result) => {
        const name = result instanceof Error ? undefined : memory.unasked?.();
        if (name === undefined) return result;
        throw changedTool(call.tool, name);
      });
      return Promise.race([suspended, ended]);
    },
    async step(begun, execute) {
      // Sleeps and questions have names with ~, and not every store keeps control characters or half a character.
      if (/^~|[\p{Cc}\p{Cs}]/u.test(begun.name))
        throw new ToolpactError(
          'invalid_step',
          `${JSON.stringify(begun.name)} cannot be the name of a step: it must not begin with ~ or hold control characters`,
        );
      const {
        options: { reconcile },
        ...step
      } = begun;
      const entry: StepEntry = {
        ...step,
        reconcile: reconcile && (() => reconcile(step.key)),
        maxChars: Math.max(leastStepChars, call.plan.maxResultChars ?? call.settings.maxResultChars),
        toFailure: (thrown, effect) => classify(thrown, { ...classifyHints(call), effect, during: 'run' }),
      };
      underWay += 1;
      try {
        const end = await watched(call, entry, memory, () => beginStep(call, begun, execute));
        given += 1;
        return end;
      } finally {
        leave();
      }
    },
    async sleep(ms) {
      const { sleep: remembered } = memory;
      await (remembered === undefined ? sleep(ms, call.signal) : wait('~sleep', (id) => remembered(id, ms)));
    },
    async waitFor(name, schema, options = {}) {
      const { waitFor: ask } = memory;
      if (typeof name !== 'string' || name === '' || peek(schema, '~standard') === undefined)
        throw new ToolpactError('invalid_step', 'ctx.waitFor takes a name and a Standard Schema of the answer');
      if (ask === undefined) throw fail('not_configured', `${call.tool} waits for "${name}", which its engine does not offer.`);
      return (await wait(`~wait:${name}`, (id) => ask(id, { name, schema, options }))).answer as never;
    },
    effect: () => memory.effect?.() ?? 'none',
  };
}

/** Reports to those who watch the call that a step begins and how it ends, and whether it ran. */
async function watched(call: Call, entry: StepEntry, memory: CallMemory, execute: () => Promise<StepEnd>): Promise<StepEnd> {
  const { name, occurrence, effects, toFailure } = entry;
  const begunAt = performance.now();
  const facts = { step: name, occurrence, effects };
  let replayed = true;
  let endSpan: ReturnType<NonNullable<NonNullable<Call['span']>['step']>> | undefined;
  isolate(() => {
    endSpan = call.span?.step?.({ name, occurrence, effects });
  });
  call.watch?.emitOfCall({ type: 'step-start', ...facts });
  const report = (error: Failure | undefined): void => {
    const tookMs = elapsedMs(begunAt, performance.now());
    isolate(() => endSpan?.({ replayed, error }));
    call.watch?.emitOfCall({ type: 'step-end', ...facts, status: error ? 'error' : 'ok', replayed, ...(error && { error }), tookMs });
  };
  try {
    const end = await memory.step(entry, () => {
      replayed = false;
      return execute();
    });
    const problem = end.thrown ?? (end.value instanceof Error ? end.value : undefined);
    report(problem === undefined ? undefined : toFailure(problem, end.effect));
    return end;
  } catch (thrown) {
    report(toFailure(thrown, 'none'));
    throw thrown;
  }
}
