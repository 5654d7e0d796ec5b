import { AsyncLocalStorage } from 'node:async_hooks';
import { fail, type Outcome, type Pending } from '../../../core/outcome/index.ts';
import {
  type CallMemory,
  fromStepRecord,
  type ShownQuestion,
  type StepEnd,
  type StepEntry,
  type StepRecord,
  toQuestion,
  toStepRecord,
} from '../../../core/runtime/index.ts';
import { questionHandle } from './call-handle.ts';
import type { KeptSteps } from './call-request.ts';
import type { PromisePump } from './promise-pump.ts';
import type { WorkflowContext } from './restate-sdk.ts';
import type { StepFlights } from './step-flights.ts';

/** Remembers the steps of one call in the journal of Restate. */
export interface RestateMemory extends CallMemory {
  /** Resolves when something that the last run of the tool waits for has come, so that the tool may run again; undefined where it waits for nothing. */
  readonly awaited: () => Promise<void> | undefined;
  /** Gives the results of the steps that returned, for the next call with the same key. */
  readonly kept: () => KeptSteps;
  /** Runs a tool that has no steps as one step. It receives whether an earlier run has an unknown end. */
  readonly runWhole: (effects: StepEntry['effects'], run: (isLost: boolean) => Promise<Outcome>) => Promise<Outcome>;
}

/** What the memory of a call is made of. */
export interface RestateMemoryParts {
  readonly ctx: WorkflowContext;
  readonly pump: PromisePump;
  readonly flights: StepFlights;
  readonly tool: string;
  /** The steps that returned before an earlier call with the same key failed. */
  readonly earlier: KeptSteps;
  /** What callers name the call by while it waits. */
  readonly handle: string;
  /** Fires when the call is cancelled: then nothing new begins. */
  readonly signal: AbortSignal;
}

/** Something that is waited for outside the tool: its end, once it has come. */
interface Wait {
  readonly over: Promise<void>;
  found?: { readonly answer?: unknown };
}

/** A step that could not begin, as the journal keeps it. */
interface NotBegun {
  readonly notBegun: true;
}

/** Shorter sleeps are slept through: to run a tool again from its top costs more. */
const shortSleepMs = 1000;

/**
 * Makes the memory of one call: a step is one entry of Restate's journal, and two where it `writes`. The first of these names the process that
 * is about to run the step; another process that finds it without an end does not run the step again.
 */
export function createRestateMemory({ ctx, pump, flights, tool, earlier, handle, signal }: RestateMemoryParts): RestateMemory {
  const results = new Map<string, Promise<StepEnd>>();
  const kept = new Map<string, StepRecord>();
  for (const [id, record] of Object.entries(earlier)) {
    const end = fromStepRecord(record);
    if (end === undefined) continue;
    results.set(id, Promise.resolve(end));
    kept.set(id, record);
  }
  const waits = new Map<string, Wait>();
  let awaited = new Set<Wait>();

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
      (isLost ? settleLost(tool, entry, execute) : execute()).then(
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
    if (!end.failed) kept.set(entry.id, record);
    return end;
  }

  /** Waits for something outside the tool, once for all its runs. */
  function waitOnce(id: string, begin: () => Promise<unknown>): Wait {
    const known = waits.get(id);
    if (known !== undefined) return known;
    const wait: Wait = {
      over: begin().then((answer) => {
        wait.found = { answer };
      }),
    };
    waits.set(id, wait);
    return wait;
  }

  /** Nothing begins any more once the call is cancelled; what it has done, its steps say. */
  function assertGoesOn(): void {
    if (signal.aborted) throw fail('cancelled', `${tool} was cancelled before it finished.`);
  }

  function suspend(wait: Wait, pending: Omit<Pending, 'handle'>): Pending {
    assertGoesOn();
    awaited.add(wait);
    return { handle, ...pending };
  }

  return {
    async step(entry, execute) {
      const id = `${entry.attempt}/${entry.id}`;
      const known = results.get(entry.id) ?? results.get(id);
      if (known !== undefined) return known;
      assertGoesOn();
      const ending = runStep(entry, execute);
      results.set(id, ending);
      const end = await ending;
      // A new attempt forgets failures and keeps results.
      if (!end.failed) results.set(entry.id, ending);
      return end;
    },
    async sleep(id, ms) {
      const isKnown = waits.has(id);
      const wait = waitOnce(id, () => pump.wait(ctx.sleep(ms, 'sleep')));
      if (!isKnown && ms < shortSleepMs) await wait.over;
      if (wait.found !== undefined) return undefined;
      return suspend(wait, { reason: 'running', pollAfterMs: Math.min(ms, 60_000) });
    },
    async waitFor(id, asked) {
      const question = toQuestion(asked);
      for (let tries = 1, problem = ''; ; tries += 1) {
        const name = tries === 1 ? id : `${id}#${tries}`;
        const wait = waitOnce(`${name}?`, () => pump.wait(ctx.promise(name).get()));
        if (wait.found === undefined) return { ...suspend(wait, toPending(question, problem)), handle: questionHandle(handle, name) };
        const checked = await question.check(wait.found.answer);
        if ('answer' in checked) return checked;
        ({ problem } = checked);
      }
    },
    kept: () => Object.fromEntries(kept),
    runWhole: (effects, run) => runKept({ id: 'run', label: 'run', effects }, run),
    awaited() {
      if (awaited.size === 0) return undefined;
      const over = Promise.race([...awaited].map((wait) => wait.over));
      awaited = new Set();
      return over;
    },
  };

  function toPending({ message, schema }: ShownQuestion, problem: string): Omit<Pending, 'handle'> {
    const text = problem === '' ? message : `${message} (The answer before did not fit: ${problem})`;
    return { reason: 'input', ask: { message: text, ...(schema !== undefined && { schema }) } };
  }
}

/** Decides about a step that another process began and whose end is not known. */
async function settleLost(tool: string, entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
  const found = await entry.reconcile?.();
  if (found?.effect === 'none') return execute();
  if (found?.effect === 'applied') return { value: found.data, failed: false, effect: 'applied' };
  const message = `The step "${entry.name}" of ${tool} was interrupted, and it is not known whether it took effect. It was not run again.`;
  const thrown = fail('interrupted', message, { effect: 'unknown', details: { step: entry.name } });
  return { thrown, failed: true, effect: 'unknown' };
}
