import { fail, type JsonValue, type Outcome, type PendingOutcome, toModelText, withWarning } from '../../outcome/index.ts';
import {
  type CallEnd,
  freesKey,
  type GuardedCall,
  type ListedCall,
  type RunPlace,
  refuseWith,
  type StoredCall,
  type Wait,
  type Written,
} from '../../ports/index.ts';
import { type Moment, type StopTimer, sleep, systemClock, thisMoment } from '../../time/index.ts';
import { waitAgain } from '../approvals/wait-again.ts';
import type { CallRegistry } from '../call-registry.ts';
import { withNextStep } from '../read/result-reader.ts';
import { askFor, askStore, type StoreAnswer } from '../store/ask-store.ts';
import { asNotRetryable, asUnknown, toCallEnd, toStored } from './answers.ts';
import { type KeptProgress, keepProgress } from './keep-progress.ts';
import { toEnded } from './listed-call.ts';
import type { RunMemory } from './step-memory.ts';
import { stopCall } from './stop-call.ts';
import { takenOverFailure } from './taken-over.ts';

/** One run of a remembered call in this process: what it writes, and what others do to it. */
export interface LiveCall {
  readonly place: RunPlace;
  /** Whether another process has the call. */
  readonly isLost: () => boolean;
  /** Whether others may have taken this process for dead since the run began, or since a later moment. */
  readonly wasSilent: (since?: Moment) => boolean;
  /** Returns a sign of life, where there is none that is fresh. */
  readonly sign: () => Promise<unknown> | undefined;
  /** Runs the rest of the call and gives its answer, once its end is stored. */
  readonly run: (next: () => Promise<Outcome>) => Promise<Outcome>;
  /** Ends the call without running it. `guessAbout` is the run that the outcome only guesses about. */
  readonly end: (outcome: Outcome, guessAbout?: number) => Promise<Outcome>;
  /** Lets the call wait for a person before it runs; gives how it answers. */
  readonly ask: (wait: Wait) => Promise<Outcome>;
  /** Lets the memory of its steps be known. */
  readonly remember: (memory: RunMemory) => void;
}

/** Options of a run. */
export interface LiveCallParts {
  readonly registry: CallRegistry;
  readonly call: GuardedCall;
  readonly place: RunPlace;
  readonly listed: ListedCall;
  /** Whether it has an idempotency key. */
  readonly isKeyed: boolean;
  /** Lets equal calls join this one while it waits. */
  readonly joinKey?: string | undefined;
  /** The call as it waited for its approval: it waits again where it does not get as far as to run. */
  readonly approved?: StoredCall | undefined;
  /** Whether a process died in its tool, which has no steps and may be repeated: what that did left no trace. */
  readonly isRepeated?: boolean | undefined;
  /** Progress from before this run was written. @default what it reports from now on */
  readonly progress?: KeptProgress | undefined;
  /** Whether its tool may run, here or on an engine. @default whether it does here */
  readonly hasBegun?: (() => boolean) | undefined;
  /** The trace of guards, attempts and steps so far. */
  readonly trace: () => JsonValue;
  /** The call waits: this process goes on with it where it can. */
  readonly onWait: (memory: RunMemory) => void;
}

/** The longest pause between two tries to store an end, and how long they go on. */
const longestPauseMs = 10_000;
const longestRetryMs = 3_600_000;

/** Begins a run of a remembered call: from now on this process is the one that has it. */
export function beginLiveCall(parts: LiveCallParts): LiveCall {
  const { registry, call, place, listed, isKeyed, trace, hasBegun = () => call.attempts > 0 } = parts;
  const { store, ledger, life } = registry;
  const since = thisMoment();
  let memory: RunMemory | undefined;
  let isLost = false;
  let wasStopped = false;
  let isConcluded = false;
  let isEnding = false;
  let isForgotten = false;
  let writing: Promise<unknown> = Promise.resolve();
  /** The answer that its caller got before its tool had ended. */
  let told: Outcome | undefined;
  const stopLife = life.begin({ ...place, onCancel: stop, onLost: lose });
  // The effect in its end must stay true while the end is on its way to the store.
  call.fence(async () => {
    if (isEnding) throw fail('cancelled', `${call.tool.name} was cancelled.`, { effect: 'none' });
  });
  const { progress = keepProgress(registry, call) } = parts;
  progress.begin(place);
  // At its deadline, or when its caller stops it, a call ends while its tool may go on: what is known then is a guess.
  call.onEnd((outcome) => {
    if (isConcluded) return;
    // The tool has not begun, and never will.
    if (!hasBegun()) {
      void conclude(outcome);
      return;
    }
    void tell(outcome);
  });

  function forget(): void {
    if (isForgotten) return;
    isForgotten = true;
    stopLife();
    progress.stop();
  }

  function lose(): void {
    if (isLost) return;
    isLost = true;
    call.abort(takenOverFailure());
  }

  function stop(): void {
    if (wasStopped || isConcluded) return;
    wasStopped = true;
    // The effects of another process that took this one for dead are not known here.
    if (!hasBegun() && life.wasSilentSince(since)) call.markMayHaveEffect();
    stopCall(call, { hasBegun, hasEnded: () => isConcluded, end: (message) => void endStopped(message) });
  }

  /** Ends a call whose handler goes on although it was stopped. Its end is stored before its caller is answered, as that of a handler is. */
  async function endStopped(message: string): Promise<void> {
    const cancelled = () => call.refuse('cancelled', message);
    isEnding = true;
    const answer = await tell(cancelled());
    if (isConcluded || call.outcome !== undefined) return;
    // Who has the call may go on with it, and did perhaps not hear yet that it is to stop.
    if (answer?.ok && answer.value.is === 'lost') {
      lose();
      return call.end(answerLost(cancelled(), answer.value));
    }
    if (answer?.ok === false) call.warn(notRecorded(answer.why));
    call.end(cancelled());
  }

  /** Stores what is known of a call whose tool still runs, before or after its caller is told so. */
  async function tell(outcome: Outcome): Promise<StoreAnswer<Written> | undefined> {
    // An engine says how its call ends, and which steps it has done; until then it runs.
    if (registry.isOnEngine && hasBegun()) return undefined;
    const guess = asOwn(asGuess(outcome));
    if (told !== undefined && isSameEnd(told, guess)) return undefined;
    told = guess;
    return write(guess, place.epoch);
  }

  /** A tool that still runs may still take effect. */
  function asGuess(outcome: Outcome): Outcome {
    const mayStillWrite = call.tool.effects === 'writes' && !call.tool.steps && hasBegun();
    return mayStillWrite || parts.isRepeated ? asUnknown(outcome) : outcome;
  }

  /** Where a call was stopped and failed, that is what it says, whatever its handler threw. */
  function asStopped(outcome: Outcome): Outcome {
    if (!wasStopped || outcome.status !== 'error') return outcome;
    // A handler that says itself that it was cancelled has its own words; what its signal threw has none for a reader.
    if (outcome.error.kind === 'cancelled' && outcome.error.cause === undefined) return outcome;
    return call.refuse('cancelled', `${call.tool.name} was cancelled.`, { effect: outcome.error.effect });
  }

  /**
   * Whoever was told what it did is not told later that nobody knows; nor that it ended otherwise, where it was stopped: after its end nothing
   * more of it begins.
   */
  function asTold(outcome: Outcome): Outcome {
    if (told?.status !== 'error' || told.error.effect === 'unknown') return outcome;
    return wasStopped || (outcome.status === 'error' && outcome.error.effect === 'unknown') ? told : outcome;
  }

  /** An equal call that goes on with this one answers as this one. */
  function asOwn(outcome: Outcome): Outcome {
    if (outcome.meta.invocationId !== call.invocationId || place.id === call.invocationId) return outcome;
    return Object.freeze({ ...outcome, meta: Object.freeze({ ...outcome.meta, invocationId: place.id }) });
  }

  function toEnd(outcome: Outcome, guessAbout: number | undefined): CallEnd {
    const isFailure = outcome.status === 'error';
    // The next call with the key of one with steps goes on where this one ended, so it has to find it.
    const isFree = outcome.status === 'pending' || (isFailure && !call.tool.steps && freesKey(call.tool, outcome.error));
    registry.share.add(place.tenant, outcome);
    return toCallEnd(listed, outcome, {
      trace: trace(),
      keepsSteps: isFailure || guessAbout !== undefined,
      ...((!isKeyed || (isFree && guessAbout === undefined)) && { keyCountsMs: 0 }),
      ...(guessAbout !== undefined && { guessAbout }),
    });
  }

  /** Writes one after the other: a guess must not come behind what is known. */
  function write(outcome: Outcome, guessAbout?: number): Promise<StoreAnswer<Written>> {
    const end = toEnd(outcome, guessAbout);
    const written = writing.then(() => askFor(call, store, { isNeeded: true })(() => ledger.end(place, end)));
    writing = written;
    return written as Promise<StoreAnswer<Written>>;
  }

  /** Tries again to store what the store did not take: until it does, or another process has the call. */
  async function writeLater(put: () => Promise<Written | { readonly is: string }>): Promise<void> {
    const until = systemClock.monotonic() + longestRetryMs;
    for (let pauseMs = registry.leaseMs / 6; systemClock.monotonic() < until; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await sleep(pauseMs, undefined, { background: true });
      if ((await askStore(put)).ok) break;
    }
    forget();
  }

  async function conclude(given: Outcome, guessAbout?: number): Promise<Outcome> {
    if (isConcluded) return given;
    const suspension = memory?.suspension();
    if (given.status === 'pending' && guessAbout === undefined) {
      if (suspension !== undefined && memory !== undefined && given.pending.handle === suspension.pending.handle)
        return wait(given, memory);
      if (!isSteering(given)) return waitForHost(given);
    }
    // The approved plan differs from the present one.
    const isOther = given.status === 'error' && given.error.code === 'plan_changed';
    if (parts.approved !== undefined && !wasStopped && !isOther && !hasBegun() && didNotRun(given))
      return keepApproval(parts.approved, given);
    isConcluded = true;
    const ownEnd = asOwn(asTold(asStopped(isLost || parts.isRepeated ? asUnknown(given) : given)));
    const outcome = isKeyed ? asNotRetryable(call, ownEnd) : ownEnd;
    const end = toEnd(outcome, guessAbout);
    const answer = await write(outcome, guessAbout);
    if (!answer.ok) {
      void writeLater(() => ledger.end(place, end));
      // Whoever finds the call without an end may run it, once this process is taken for dead.
      const doubtful = call.tool.steps || isKeyed ? asUnknown(outcome) : outcome;
      return withWarning(doubtful, notRecorded(answer.why));
    }
    forget();
    if (answer.value.is === 'lost') return answerLost(outcome, answer.value);
    return outcome;
  }

  /** Lets a call that was approved, and did not get as far as to run, wait for another try. */
  async function keepApproval(approved: StoredCall, given: Outcome): Promise<Outcome> {
    const put = async () => (await waitAgain(ledger, approved)) ?? { is: 'written' };
    const answer = await askStore(put);
    if (answer.ok && answer.value.is === 'cancelled') {
      wasStopped = true;
      return conclude(given);
    }
    isConcluded = true;
    if (answer.ok) forget();
    else void writeLater(put);
    return given;
  }

  /** Answers for a call that another process has: what that one did is not known here, unless it has ended. */
  function answerLost(outcome: Outcome, { call: stored }: Extract<Written, { is: 'lost' }>): Outcome {
    if (outcome.status !== 'error') return withWarning(outcome, 'not_recorded: another process had taken this one for dead');
    const isKnown = stored?.stage === 'ended' && stored.guessAbout === undefined && stored.outcome !== undefined;
    return isKnown ? call.replay(stored.outcome as Outcome, { replayed: true }) : refuseWith(call, takenOverFailure());
  }

  /** A handler that steered its host has not ended; the host calls again when it goes on. */
  function isSteering({ pending }: PendingOutcome): boolean {
    return pending.reason === 'host' && pending.handle === call.invocationId;
  }

  /** Lets the call wait in the middle of its tool. */
  async function wait(outcome: PendingOutcome, of: RunMemory): Promise<Outcome> {
    const { wakeMs, questions, pending } = of.suspension() ?? { questions: [], pending: outcome.pending };
    // A tool may ask and sleep side by side: the first of them says only what it waits for itself.
    const shown = withNextStep(store, call.tool.name, { ...outcome, pending });
    const modelText = toModelText(shown);
    return suspend(
      shown,
      {
        questions: questions.map((each) => ({ ...each, ask: { ...each.ask, modelText } })),
        remainingMs: call.remainingMs,
        ...(wakeMs !== undefined && { wakeMs }),
      },
      () => parts.onWait(of),
    );
  }

  /** Lets the call wait for what its handler has named: somebody gives its outcome under that handle. */
  function waitForHost(outcome: PendingOutcome): Promise<Outcome> {
    const { handle } = outcome.pending;
    return suspend(
      withNextStep(store, call.tool.name, outcome),
      { questions: [], ...(handle !== place.id && { handle }) },
      () => undefined,
    );
  }

  async function suspend(
    outcome: PendingOutcome,
    how: Omit<Parameters<typeof ledger.wait>[1], 'outcome' | 'listed'>,
    onWaiting: () => void,
  ): Promise<Outcome> {
    const asListed = toEnded(listed, outcome, systemClock.now());
    const joinKey = parts.joinKey === undefined ? {} : { joinKey: { text: parts.joinKey, countsMs: 0 } };
    const put = () =>
      ledger.wait(place, { ...how, ...joinKey, outcome: toStored(outcome), listed: asListed, mostWaiting: registry.mostWaiting });
    const answer = await askFor(call, store, { isNeeded: true })(put);
    if (!answer.ok) {
      isConcluded = true;
      void writeLater(put);
      return withWarning(outcome, `not_recorded: that this call waits could not be stored: ${answer.why}`);
    }
    const { value } = answer;
    if (value.is === 'cancelled') {
      wasStopped = true;
      return conclude(call.refuse('cancelled', `${call.tool.name} was cancelled.`, { effect: memory?.effect?.() ?? 'unknown' }));
    }
    if (value.is === 'full')
      return conclude(call.refuse('rate_limited', `${call.tool.name} cannot wait: too many calls of its tenant are waiting.`));
    isConcluded = true;
    forget();
    if (value.is === 'lost') return refuseWith(call, takenOverFailure());
    onWaiting();
    return outcome;
  }

  /** Checks whether an engine has not said what its call did: its steps are not known here, so that a rerun would do them again. */
  function isUntold(outcome: Outcome): boolean {
    return outcome.status === 'error' && outcome.error.effect !== 'none' && memory?.isTold?.() === false;
  }

  /** Waits for the tool, for some time also after the call has ended by its deadline or its caller; then gives it up. */
  function awaitTool(next: () => Promise<Outcome>): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    let stopTimer: StopTimer | undefined;
    let isOver = false;
    const finish = (outcome: Outcome): void => {
      if (isOver) return;
      isOver = true;
      stopTimer?.();
      conclude(outcome, isUntold(outcome) ? place.epoch : undefined).then(resolve, reject);
    };
    call.onEnd((ended) => {
      if (isOver) return;
      stopTimer = systemClock.after(registry.lateMs, () => finish(asGuess(ended)), { background: true });
    });
    next().then(finish, (bug: unknown) => {
      isOver = true;
      stopTimer?.();
      // A bug of ours hides what became of the call: it keeps its key, and whoever takes it over finds out.
      forget();
      reject(bug);
    });
    return promise;
  }

  return {
    place,
    isLost: () => isLost,
    wasSilent: (moment = since) => life.wasSilentSince(moment),
    sign: life.sign,
    remember(given) {
      memory = given;
    },
    ask: ({ outcome, listed: _, ...wait }) => suspend(outcome as PendingOutcome, wait, () => undefined),
    end: conclude,
    run: (next) => {
      // It has ended while it was begun: nothing ran.
      if (call.outcome !== undefined) return conclude(call.outcome);
      call.keepLateResult();
      return awaitTool(next);
    },
  };
}

/** Checks whether two failures say the same of how a call ended, and what it did. */
function isSameEnd(one: Outcome, other: Outcome): boolean {
  return (
    one.status === 'error' && other.status === 'error' && one.error.kind === other.error.kind && one.error.effect === other.error.effect
  );
}

function notRecorded(why: string): string {
  return `not_recorded: the end of this call could not be stored: ${why}`;
}

/** Recognises a call that did not run because of a later guard: a limit, a store, its deadline. */
function didNotRun(outcome: Outcome): boolean {
  return outcome.status === 'error' && outcome.error.effect === 'none' && outcome.meta.replayed !== true;
}
