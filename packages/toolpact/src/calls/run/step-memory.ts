import { type Effect, fail, type Pending, ToolFailure } from '../../outcome/index.ts';
import {
  type BegunStep,
  type CallMemory,
  changedTool,
  type GuardedCall,
  type Ledger,
  type NewQuestion,
  type StepEnd,
  type StepEntry,
  type StoredQuestion,
  type StoredStep,
  StoreFault,
  type Suspension,
} from '../../ports/index.ts';
import { fromStepRecord, type ShownQuestion, toQuestion, toStepRecord, worseEffect } from '../../runtime/index.ts';
import { type Moment, sleep, thisMoment } from '../../time/index.ts';
import { askStore } from '../store/ask-store.ts';
import { pauseIn, tryLater } from '../store/try-later.ts';
import type { LiveCall } from './live-call.ts';
import { takenOverFailure } from './taken-over.ts';

/** Questions about the steps of a run, wherever they are stored. */
export interface RunMemory extends Pick<CallMemory, 'effect'> {
  /** Says how the call waits, where this run ended because its tool sleeps or asks. */
  readonly suspension: () => Suspension | undefined;
  /** Whether a step that writes may have taken effect: its end is not stored, or it failed without saying what it did in the call that this one goes on with. */
  readonly isDoubtful: () => boolean;
  /** Says that no doubtful step took effect. */
  readonly clearDoubts: () => void;
  /** Whether the engine that runs the call has said which steps it has done; undefined where the call runs here. */
  readonly isTold?: () => boolean;
}

/** The memory of one run of a call in this process. */
export type StepMemory = CallMemory & RunMemory;

/** Options of a step memory. */
export interface StepMemoryParts {
  readonly call: GuardedCall;
  readonly ledger: Ledger;
  readonly live: Pick<LiveCall, 'place' | 'isLost' | 'wasSilent' | 'sign'>;
  readonly steps: readonly StoredStep[];
  readonly questions: readonly StoredQuestion[];
  /** Names the call for the keys of its steps. */
  readonly origin: string;
  /** Whether the call goes on where an ended one failed: then this is a new attempt, which forgets failures. */
  readonly isNewAttempt: boolean;
  /** Whether a process died in this call: then a step that may be repeated may have been done without a trace. */
  readonly wasDead: boolean;
  /** The name of the first step that is done again, where this is a rerun. */
  readonly from?: string | undefined;
}

/** A step whose end is stored. */
interface KnownStep {
  readonly name: string;
  readonly attempt: number;
  /** Whether a call before this one did it. */
  readonly isEarlier: boolean;
  readonly end: StepEnd;
}

/** Nobody can say what a call did of which a step cannot be read. */
function unreadableStep(tool: string, step: string): ToolFailure {
  return fail('interrupted', `${tool} cannot go on: the store gave the step "${step}" in a form that cannot be read here.`, {
    effect: 'unknown',
  });
}

/** How long a tool that runs again may take to ask for a recorded step, while a new one waits: one look after the other. */
const sideBySideMs = [0, 10, 90, 900];
/** The longest pause between two looks at a call that sleeps. */
const longestPollMs = 60_000;

/** Creates the memory of a call with steps over the ledger. */
export function createStepMemory(parts: StepMemoryParts): StepMemory {
  const { call, ledger, live, origin, from, questions } = parts;
  const { tool } = call;
  const ended = new Map<string, KnownStep>();
  const doubtful = new Set<string>();
  const sleeps = new Map<string, { readonly overAt: number; readonly isEarlier: boolean }>();
  const readAt = performance.now();
  for (const step of parts.steps) readStep(step);
  const firstAttempt = Math.max(1, ...parts.steps.map(({ attempt }) => attempt)) + (parts.isNewAttempt ? 1 : 0);
  const asked = new Set<string>();
  const waits = new Set<string>();
  const open = new Map<string, { readonly question: NewQuestion; readonly check: ShownQuestion['check'] }>();
  let wakeAt: number | undefined;
  let suspended: Suspension | undefined;
  let isCleared = false;
  let redo = { attempt: 0, isPast: false };

  function readStep({ id, name, attempt, epoch, isOpen, record, leftMs }: StoredStep): void {
    if (leftMs !== undefined) {
      sleeps.set(id, { overAt: readAt + leftMs, isEarlier: epoch === 0 });
      return;
    }
    if (isOpen) doubtful.add(id);
    else {
      const end = fromStepRecord(record);
      if (end === undefined) throw unreadableStep(tool.name, name);
      ended.set(id, { name, attempt, isEarlier: epoch === 0, end });
    }
  }

  /** Counts attempts over all runs of the call. */
  const attemptOf = (attempt: number): number => firstAttempt + Math.max(0, attempt - 1);

  /** Checks whether something that an earlier call did is done again: all from a named step on, counted from the start in each attempt. */
  function isAgain(isEarlier: boolean | undefined, name?: string): boolean {
    if (from === undefined) return false;
    if (redo.attempt !== call.attempts) redo = { attempt: call.attempts, isPast: false };
    redo.isPast ||= name === from;
    return redo.isPast && isEarlier === true;
  }

  /** Asks the store until it answers, or the call is over: a step must not begin, or go on, without its record. */
  async function insist<TValue>(ask: () => Promise<TValue>, what: string, effect: Effect): Promise<TValue> {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
      const answer = await askStore(ask);
      if (answer.ok) return answer.value;
      if (ToolFailure.isInstance(answer.cause)) throw answer.cause;
      const isHopeless = answer.cause instanceof StoreFault || call.outcome !== undefined || call.remainingMs <= pauseMs;
      if (isHopeless) throw fail('not_ready', `${what}: ${answer.why}.`, { effect });
      await pauseIn(call, pauseMs);
    }
  }

  /** Writes under the epoch of this run; throws where another run has the call. */
  async function write(put: () => ReturnType<Ledger['stepEnd']>, what: string, effect: Effect): Promise<void> {
    const written = await insist(put, what, effect);
    if (written.is === 'lost') throw takenOverFailure();
  }

  /** Writes that a step begins; once more where others may have taken this process for dead until the store's answer came. */
  async function beginStep(begun: BegunStep): Promise<void> {
    for (let since: Moment | undefined; since === undefined || live.wasSilent(since); ) {
      if (since !== undefined) await live.sign();
      since = thisMoment();
      await write(() => ledger.stepBegin(live.place, begun), `The next step of ${tool.name} did not begin`, 'none');
    }
  }

  async function record(entry: StepEntry, end: StepEnd): Promise<StepEnd> {
    const stored = toStepRecord(entry, end);
    const { id, name, attempt } = entry;
    const step = { id, name, attempt: attemptOf(attempt), record: stored as never };
    const put = () => ledger.stepEnd(live.place, step);
    try {
      await write(put, `The end of the step "${name}" could not be stored`, stored.effect);
    } catch (thrown) {
      void tryLater(async () => (await askStore(put)).ok, 2000);
      throw thrown;
    }
    const storedEnd = fromStepRecord(stored) as StepEnd;
    ended.set(id, { name, attempt: step.attempt, isEarlier: false, end: storedEnd });
    doubtful.delete(id);
    // In this process the error itself is thrown on; what is too large to be kept has become another one.
    return 'thrown' in end ? end : storedEnd;
  }

  /** Decides about a step that has taken effect, or may have: gives its end, or undefined where it may run. */
  async function settleDoubt(entry: StepEntry, hasReturned: boolean): Promise<StepEnd | undefined> {
    const finding = isCleared && !hasReturned ? { effect: 'none' as const } : await entry.reconcile?.();
    if (finding?.effect === 'applied') return record(entry, { value: finding.data, failed: false, effect: 'applied' });
    if (finding?.effect === 'none') return undefined;
    return { ...(hasReturned ? notTwice(entry.name, tool.name) : interrupted(entry.name, tool.name)), failed: true };
  }

  /** Names a step that has taken effect, or may have, and that this run has not asked for. */
  function nameLeftBehind(): string | undefined {
    const effectiveIds = [...ended].flatMap(([id, { end }]) =>
      end.effect === 'none' || (isCleared && end.effect === 'unknown') ? [] : [id],
    );
    const candidates = isCleared ? effectiveIds : [...effectiveIds, ...doubtful];
    const id = candidates.find((candidate) => !asked.has(candidate) && !waits.has(candidate));
    return id?.slice(id.indexOf(':') + 1);
  }

  /**
   * Looks before a new step begins for one that would be left behind: under another name it would be done twice. A tool that does several
   * things side by side has some time to ask for it.
   */
  async function findLeftBehind(): Promise<string | undefined> {
    for (const pauseMs of sideBySideMs) {
      if (nameLeftBehind() === undefined) return undefined;
      await sleep(pauseMs, call.signal);
    }
    return nameLeftBehind();
  }

  async function step(entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
    const { id, name, effects } = entry;
    asked.add(id);
    const earlierEnd = ended.get(id);
    const isInDoubt = doubtful.has(id);
    const isRunAgain = isAgain(earlierEnd?.isEarlier, name);
    if (
      earlierEnd !== undefined &&
      !isInDoubt &&
      !isRunAgain &&
      (!earlierEnd.end.failed || earlierEnd.attempt === attemptOf(entry.attempt))
    )
      return earlierEnd.end;
    const leftBehind = earlierEnd === undefined && !isInDoubt && effects !== 'none' ? await findLeftBehind() : undefined;
    if (leftBehind !== undefined) throw changedTool(tool.name, leftBehind);
    if (effects === 'none') return record(entry, await execute());
    if (effects === 'idempotent') return record(entry, asRepeated(await execute(), earlierEnd));
    const hasReturned = earlierEnd !== undefined && !earlierEnd.end.failed && !isInDoubt;
    const mayHaveWritten = hasReturned || (earlierEnd?.end.failed && earlierEnd.end.effect !== 'none');
    const settled = isInDoubt || mayHaveWritten ? await settleDoubt(entry, hasReturned) : undefined;
    if (settled !== undefined) return settled;
    const begunStep = { id, name, attempt: attemptOf(entry.attempt) };
    doubtful.add(id);
    let end: StepEnd;
    try {
      await beginStep(begunStep);
      end = await execute();
    } catch (thrown) {
      // It did not begin here. What an earlier run may have done stays in doubt.
      if (!isInDoubt) doubtful.delete(id);
      throw thrown;
    }
    return record(entry, end);
  }

  /** A failure of a step that is repeated says nothing of what the tries before it did: those of which a failure is known, and of a process that died. */
  function asRepeated(end: StepEnd, earlierEnd: KnownStep | undefined): StepEnd {
    const before = earlierEnd?.end.effect ?? (parts.wasDead ? 'unknown' : 'none');
    return end.failed ? { ...end, effect: worseEffect(before, end.effect) } : end;
  }

  /** Says how the call waits: for all that was asked or slept for in this run. */
  function suspend(): Pending {
    const { id: handle } = live.place;
    const wakeMs = wakeAt === undefined ? undefined : Math.max(1, wakeAt - performance.now());
    const asks = [...open.values()];
    const [first] = asks;
    const pending: Pending = {
      handle,
      reason: first === undefined ? 'running' : 'input',
      ...(first !== undefined && { ask: first.question.ask as never }),
      ...(wakeMs !== undefined && { pollAfterMs: Math.min(longestPollMs, Math.max(1000, Math.ceil(wakeMs))) }),
    };
    suspended = {
      pending,
      ...(wakeMs !== undefined && { wakeMs }),
      questions: asks.map(({ question }) => question),
      check: checkerOf(new Map([...open].map(([asked, { check }]) => [asked, check]))),
    };
    return pending;
  }

  return {
    get callName() {
      return call.key === undefined && call.context.idempotencyKey === undefined ? origin : undefined;
    },
    step,
    async sleep(id, ms) {
      waits.add(id);
      const earlierSleep = sleeps.get(id);
      let overAt = earlierSleep === undefined || isAgain(earlierSleep.isEarlier) ? undefined : earlierSleep.overAt;
      if (overAt === undefined) {
        overAt = performance.now() + ms;
        const entry = { id, name: 'sleep', attempt: attemptOf(call.attempts), sleepMs: ms };
        await write(() => ledger.stepEnd(live.place, entry), `The sleep of ${tool.name} could not be stored`, 'none');
        sleeps.set(id, { overAt, isEarlier: false });
      }
      if (overAt <= performance.now()) return undefined;
      wakeAt = Math.min(overAt, wakeAt ?? overAt);
      return suspend();
    },
    async waitFor(id, given) {
      waits.add(id);
      const shown = toQuestion(given);
      const earlierQuestions = questions.filter((question) => idOf(question) === id);
      const last = earlierQuestions.filter((question) => !isAgain(isOfEarlier(question))).at(-1);
      const answer = (last?.answer ?? {}) as { readonly value?: unknown; readonly refusal?: unknown };
      let { message } = shown;
      if (last?.state === 'answered') {
        const refused = fromStepRecord(answer.refusal);
        if (refused !== undefined) throw refused.thrown;
        const checked = await shown.check(answer.value);
        if ('answer' in checked) return checked;
        // The answer that does not fit is forgotten, and the question asked again.
        message = `${message} (${checked.problem})`;
      }
      const isOpen = last?.state === 'open';
      // Counted over all that the call and those before it asked: a question with the id of an earlier one would be taken for that.
      const newId = `${id}#${earlierQuestions.length + 1}`;
      const handle = isOpen ? last.handle : `${live.place.id}?${newId}`;
      const ask = { message, ...(shown.schema !== undefined && { schema: shown.schema }) };
      open.set(handle, {
        question: { handle, kind: 'input', id: isOpen ? last.id : newId, ask: ask as never },
        check: shown.check,
      });
      return suspend();
    },
    suspension: () => suspended,
    isDoubtful: () => doubtful.size > 0 || (parts.isNewAttempt && [...ended.values()].some(({ end }) => end.effect === 'unknown')),
    clearDoubts() {
      isCleared = true;
    },
    effect() {
      // The steps that another process has run meanwhile are not known here.
      if (live.isLost() || live.wasSilent()) return 'unknown';
      const effects = [...ended.values()].map(({ end }) => end.effect);
      if (doubtful.size > 0 || effects.includes('unknown')) return 'unknown';
      return effects.includes('applied') ? 'applied' : 'none';
    },
    unasked() {
      const currentAttempt = attemptOf(call.attempts);
      // A rerun may take another way, and so may an attempt after a failure. What changed the outside world, or may have, must be asked for:
      // it would be left behind unseen.
      const mayLeave = ({ attempt, end, isEarlier }: KnownStep): boolean =>
        end.effect === 'none' && ((end.failed && attempt < currentAttempt) || (from !== undefined && isEarlier));
      const leftBehind = [...ended].find(([id, known]) => !asked.has(id) && !waits.has(id) && !mayLeave(known));
      return leftBehind?.[1].name ?? nameLeftBehind();
    },
  };

  /** An answer that moved here from the call which this one replaces. */
  function isOfEarlier({ handle }: StoredQuestion): boolean {
    return !handle.startsWith(`${live.place.id}?`);
  }
}

/** Returns the id under which a tool asks, whichever time it was. */
function idOf({ id }: StoredQuestion): string {
  return id.slice(0, id.lastIndexOf('#'));
}

/** Checks answers to the questions of a call. It outlives the run that asked, so it holds nothing of it: neither its call nor its arguments. */
function checkerOf(checks: ReadonlyMap<string, ReturnType<typeof toQuestion>['check']>): Suspension['check'] {
  return async (handle, answer) => {
    const checked = await checks.get(handle)?.(answer);
    return checked !== undefined && 'problem' in checked ? checked.problem : undefined;
  };
}

/** A step whose process died, or that failed without saying what it did. */
function interrupted(step: string, tool: string): Pick<StepEnd, 'thrown' | 'effect'> {
  const message = `The step "${step}" of ${tool} was interrupted, and it is not known whether it took effect. It was not run again.`;
  return { thrown: fail('interrupted', message, { effect: 'unknown', details: { step } }), effect: 'unknown' };
}

/** A step that a rerun would do a second time. */
function notTwice(step: string, tool: string): Pick<StepEnd, 'thrown' | 'effect'> {
  const message = `The step "${step}" of ${tool} took effect in an earlier run, and it was not run again: it writes, and has no way to find out what happened.`;
  const advice = 'Run again from a later step, or give this one a `reconcile`.';
  return { thrown: fail('interrupted', message, { effect: 'applied', advice, details: { step } }), effect: 'applied' };
}

/** Returns what the stored steps of a call did to the outside world. */
export function worstEffect(steps: readonly StoredStep[]): Effect {
  const effectOf = ({ isOpen, record, leftMs }: StoredStep): Effect => {
    if (leftMs !== undefined) return 'none';
    return isOpen ? 'unknown' : (fromStepRecord(record)?.effect ?? 'unknown');
  };
  return steps.reduce<Effect>((worst, step) => worseEffect(worst, effectOf(step)), 'none');
}
