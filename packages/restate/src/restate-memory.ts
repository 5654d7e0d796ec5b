import { AsyncLocalStorage } from 'node:async_hooks';
import { fail, type Outcome } from 'toolpact';
import { type CallMemory, fromStepRecord, type StepEnd, type StepEntry, type StepRecord, toStepRecord } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import type { CallRequest, KeptRecords } from './call-request.ts';
import type { HandOver } from './hand-over.ts';
import { createKeptSteps } from './kept-steps.ts';
import type { PromisePump } from './promise-pump.ts';
import type { WorkflowContext } from './restate-sdk.ts';
import { createRestateWaits, type Waiting } from './restate-waits.ts';
import type { StepFlight, StepFlights } from './step-flights.ts';

/** Remembers the steps of one call in the journal of Restate. */
export interface RestateMemory extends CallMemory {
  /** Ends a run of the tool: gives what it waits for; undefined where it waits for nothing. */
  readonly endRun: () => Waiting | undefined;
  /** Returns what was recorded, for the next call of the same name. */
  readonly kept: () => KeptRecords;
  /** Runs a tool that has no steps as one step. It receives whether an earlier run has an unknown end. */
  readonly runWhole: (effects: StepEntry['effects'], run: (isLost: boolean) => Promise<Outcome>) => Promise<Outcome>;
  /**
   * Ends the steps that are under way, because their call has its outcome: the journal keeps that for each of them. Without an end Restate would
   * wait for them, and a replay, which has more time, would go on where this attempt ended. Resolves when Restate has all ends.
   */
  readonly leaveBehind: (outcome: Outcome) => Promise<void>;
  /** Resolves with the outcome of the call where an earlier attempt has ended it while a step was under way. */
  readonly left: Promise<Outcome>;
}

/** Options of a call's memory. */
export interface RestateMemoryParts {
  readonly ctx: WorkflowContext;
  readonly pump: PromisePump;
  readonly flights: StepFlights;
  readonly handOver: HandOver;
  /** Checks whether Restate has given this attempt up: then it begins nothing. */
  readonly isGivenUp: () => boolean;
  readonly request: Pick<CallRequest, 'tool' | 'kept' | 'asked' | 'from' | 'callName'>;
  /** The handle of the call while it waits. */
  readonly handle: string;
  /** Fires when the call is cancelled: then nothing new begins. */
  readonly signal: AbortSignal;
}

/** The end of a step that was under way when its call ended, as the journal keeps it. */
interface LeftBehind {
  readonly leftBehind: Outcome;
}

/** A step that could not begin, as the journal keeps it. */
interface NotBegun {
  readonly notBegun: true;
}

/**
 * Creates the memory of one call: a step is one entry of Restate's journal, and two where it `writes`. The first of these names the process that
 * is about to run the step; another process that finds it without an end asks that one, and does not run the step again where that one is gone.
 */
export function createRestateMemory({
  ctx,
  pump,
  flights,
  handOver,
  isGivenUp,
  request,
  handle,
  signal,
}: RestateMemoryParts): RestateMemory {
  const { tool, callName } = request;
  const kept = createKeptSteps(request.kept ?? {}, request.from);
  const results = new Map<string, Promise<StepEnd>>();
  const waits = createRestateWaits({ ctx, pump, kept, handle, asked: request.asked ?? {}, assertGoesOn });
  const leaving = Promise.withResolvers<LeftBehind>();
  const left = Promise.withResolvers<Outcome>();
  let isOver = false;

  /** Nothing begins any more once the call is cancelled; what it has done, its steps say. */
  function assertGoesOn(): void {
    if (signal.aborted) throw fail('cancelled', `${tool} was cancelled before it finished.`);
  }

  /** Runs something that Restate keeps the result of. Where its call ends meanwhile, it gives nothing: the tool must not go on. */
  async function runEntry<TKept>(label: string, run: () => Promise<TKept>, onLeft: () => void = () => undefined): Promise<TKept> {
    const end = await pump.waitForRun(ctx.run(label, () => Promise.race([run(), leaving.promise])));
    if (!isRecord(end) || !('leftBehind' in end)) return end as TKept;
    isOver = true;
    onLeft();
    left.resolve(end.leftBehind as Outcome);
    return never;
  }

  /** The same with two entries for what writes. What writes is lost where the process that began it is gone: then it gets to know that. */
  async function runKept<TKept>(
    { id, label, effects }: { readonly id: string; readonly label: string; readonly effects: StepEntry['effects'] },
    run: (isLost: boolean) => Promise<TKept>,
    onLeft?: () => void,
  ): Promise<TKept> {
    const flight = flights.of(id);
    const owner = effects === 'writes' ? await runEntry(`${label}: begins`, async () => flight.begin()) : undefined;
    const inOwnContext = AsyncLocalStorage.snapshot();
    const start = (): Promise<TKept> => (owner === undefined || flight.mayRun(owner) ? run(false) : takeOver(id, owner, flight, run));
    const end = await runEntry(
      label,
      () => {
        // An attempt that Restate has given up begins nothing more; the next one does.
        if (isGivenUp()) return never;
        // An attempt whose connection broke may still run it here.
        return (flight.running() as Promise<TKept> | undefined) ?? flight.start(() => inOwnContext(start));
      },
      onLeft,
    );
    flight.end();
    return end;
  }

  /** Gets the end of something from the process that runs it, or runs it itself where that process has not begun it, or is gone. */
  async function takeOver<TKept>(id: string, first: string, flight: StepFlight, run: (isLost: boolean) => Promise<TKept>): Promise<TKept> {
    let isLost = false;
    for (let owner = first; ; ) {
      const handed = await handOver.take(id, owner);
      if (handed !== undefined && 'end' in handed) return handed.end as TKept;
      if (isGivenUp()) throw givenUp();
      isLost ||= handed === undefined;
      const attemptId = crypto.randomUUID();
      owner = await handOver.claim(id, owner, attemptId);
      if (owner !== attemptId) continue;
      if (isGivenUp()) {
        // Given up while Restate was asked: the next process waits for what this one says under its name.
        await handOver.give(id, attemptId, undefined);
        throw givenUp();
      }
      flight.own(attemptId);
      return run(isLost);
    }
  }

  async function runStep(entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
    const { name, attempt, effects } = entry;
    const label = attempt > 1 ? `${name} (attempt ${attempt})` : name;
    const doubt = effects === 'writes' ? kept.doubtOf(entry.id) : undefined;
    let refused: unknown;
    const record = await runKept<StepRecord | NotBegun>(
      { id: `${attempt}/${entry.id}`, label, effects },
      (isLost) =>
        (isLost || doubt !== undefined ? settleDoubt(tool, entry, execute, !isLost && doubt === 'returned') : execute()).then(
          (end) => toStepRecord(entry, end),
          (thrown: unknown): NotBegun => {
            refused = thrown;
            return { notBegun: true };
          },
        ),
      // A later call of the same name must not just run it again.
      () => effects !== 'none' && kept.keep(entry.id, toStepRecord(entry, unknownEnd(tool, name))),
    );
    if ('notBegun' in record) throw refused ?? fail('cancelled', `The step "${entry.name}" did not begin: its call was stopped.`);
    const end = fromStepRecord(record);
    if (end === undefined) throw fail('not_ready', `What Restate keeps of the step "${entry.name}" cannot be read here.`);
    // Keep the record of the first run: refusing a second one does not undo it.
    if (doubt !== 'returned' || !end.failed) kept.keep(entry.id, record);
    return end;
  }

  return {
    ...(callName !== undefined && { callName }),
    async step(entry, execute) {
      const id = `${entry.attempt}/${entry.id}`;
      const before = kept.ask(entry.id, entry);
      const earlierEnd = results.get(entry.id) ?? results.get(id) ?? before;
      if (earlierEnd !== undefined) return earlierEnd;
      assertGoesOn();
      if (isOver) return never;
      const ending = runStep(entry, execute);
      results.set(id, ending);
      const end = await ending;
      // A new attempt forgets failures and keeps results.
      if (!end.failed) results.set(entry.id, ending);
      return end;
    },
    sleep: (id, ms) => (isOver ? never : waits.sleep(id, ms)),
    waitFor: (id, question) => (isOver ? never : waits.waitFor(id, question)),
    effect: kept.effect,
    unasked: kept.unasked,
    kept: kept.records,
    runWhole: (effects, run) => runKept({ id: 'run', label: 'run', effects }, run),
    left: left.promise,
    async leaveBehind(outcome) {
      isOver = true;
      leaving.resolve({ leftBehind: outcome });
      await pump.drain();
    },
    endRun() {
      kept.restart();
      return waits.waiting();
    },
  };
}

/** Decides about a step that has taken effect, or may have: its end is not known here, or it would be done a second time. */
async function settleDoubt(tool: string, entry: StepEntry, execute: () => Promise<StepEnd>, hasReturned: boolean): Promise<StepEnd> {
  const finding = await entry.reconcile?.();
  if (finding?.effect === 'none') return execute();
  if (finding?.effect === 'applied') return { value: finding.data, failed: false, effect: 'applied' };
  const { name } = entry;
  const thrown = hasReturned
    ? fail(
        'interrupted',
        `The step "${name}" of ${tool} took effect in an earlier run, and it was not run again: it writes, and has no way to find out what happened.`,
        { effect: 'applied', advice: 'Run again from a later step, or give this one a `reconcile`.', details: { step: name } },
      )
    : unknownEnd(tool, name).thrown;
  return { thrown, failed: true, effect: hasReturned ? 'applied' : 'unknown' };
}

const givenUp = (): Error => new Error('This attempt was given up.');

/** Says of a step that it is not known whether it took effect. */
function unknownEnd(tool: string, step: string): StepEnd {
  const message = `The step "${step}" of ${tool} was interrupted, and it is not known whether it took effect. It was not run again.`;
  return { thrown: fail('interrupted', message, { effect: 'unknown', details: { step } }), failed: true, effect: 'unknown' };
}

const never = new Promise<never>(() => undefined);
