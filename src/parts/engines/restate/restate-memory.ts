import { AsyncLocalStorage } from 'node:async_hooks';
import { fail, type Outcome } from '../../../core/outcome/index.ts';
import {
  type CallMemory,
  fromStepRecord,
  type StepEnd,
  type StepEntry,
  type StepRecord,
  toStepRecord,
} from '../../../core/runtime/index.ts';
import type { PromisePump } from './promise-pump.ts';
import type { WorkflowContext } from './restate-sdk.ts';
import type { StepFlights } from './step-flights.ts';

/** Remembers the steps of one call in the journal of Restate. */
export interface RestateMemory extends CallMemory {
  /** Runs a tool that has no steps as one step. It is told whether an earlier run has an unknown end. */
  readonly runWhole: (effects: StepEntry['effects'], run: (isLost: boolean) => Promise<Outcome>) => Promise<Outcome>;
}

/** What the memory of a call is made of. */
export interface RestateMemoryParts {
  readonly ctx: WorkflowContext;
  readonly pump: PromisePump;
  readonly flights: StepFlights;
  readonly tool: string;
  /** Fires when the call is cancelled: then nothing new begins. */
  readonly signal: AbortSignal;
}

/** A step that could not begin, as the journal keeps it. */
interface NotBegun {
  readonly notBegun: true;
}

/**
 * Makes the memory of one call: a step is one entry of Restate's journal, and two where it `writes`. The first of these names the process that
 * is about to run the step; another process that finds it without an end does not run the step again.
 */
export function createRestateMemory({ ctx, pump, flights, tool, signal }: RestateMemoryParts): RestateMemory {
  const results = new Map<string, Promise<StepEnd>>();

  /** Runs something that Restate keeps the result of. What writes is lost where another process began it: then it gets to know that. */
  async function runKept<TKept>(
    { id, label, effects }: { readonly id: string; readonly label: string; readonly effects: StepEntry['effects'] },
    run: (isLost: boolean) => Promise<TKept>,
  ): Promise<TKept> {
    const flight = flights.of(id);
    const isLost = effects === 'writes' && !flight.mayRun(await pump.wait(ctx.run(`${label}: begins`, async () => flight.begin())));
    const inOwnContext = AsyncLocalStorage.snapshot();
    // An attempt whose connection broke may still run it here.
    return pump.wait(
      ctx.run(label, () => (flight.running() as Promise<TKept> | undefined) ?? flight.start(() => inOwnContext(run, isLost))),
    );
  }

  async function runStep(entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
    const { name, attempt, effects } = entry;
    const label = attempt > 1 ? `${name} (attempt ${attempt})` : name;
    let refused: unknown;
    const record = await runKept<StepRecord | NotBegun>({ id: `${attempt}/${entry.id}`, label, effects }, (isLost) =>
      (isLost ? Promise.resolve(interrupted(tool, entry)) : execute()).then(
        (end) => toStepRecord(entry, end),
        (thrown: unknown): NotBegun => {
          refused = thrown;
          return { notBegun: true };
        },
      ),
    );
    if ('notBegun' in record) throw refused ?? fail('cancelled', `The step "${entry.name}" did not begin: its call was stopped.`);
    const end = fromStepRecord(record);
    if (end === undefined) throw fail('not_ready', `What Restate keeps of the step "${entry.name}" cannot be read here.`);
    return end;
  }

  return {
    async step(entry, execute) {
      const id = `${entry.attempt}/${entry.id}`;
      const known = results.get(entry.id) ?? results.get(id);
      if (known !== undefined) return known;
      signal.throwIfAborted();
      const ending = runStep(entry, execute);
      results.set(id, ending);
      const end = await ending;
      // A new attempt forgets failures and keeps results.
      if (!end.failed) results.set(entry.id, ending);
      return end;
    },
    runWhole: (effects, run) => runKept({ id: 'run', label: 'run', effects }, run),
  };
}

/** Ends a step that another process began and whose end is not known. */
function interrupted(tool: string, { name }: StepEntry): StepEnd {
  const message = `The step "${name}" of ${tool} was interrupted, and it is not known whether it took effect. It was not run again.`;
  return { thrown: fail('interrupted', message, { effect: 'unknown', details: { step: name } }), failed: true, effect: 'unknown' };
}
