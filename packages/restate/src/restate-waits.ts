import { fail, type Pending } from 'toolpact';
import { type CallMemory, fromStepRecord, type ShownQuestion, type StepRecord, toQuestion } from 'toolpact/extend';
import type { OpenQuestion, WaitingState } from './call-request.ts';
import { type KeptSteps, waitRecord } from './kept-steps.ts';
import type { PromisePump } from './promise-pump.ts';
import type { WorkflowContext } from './restate-sdk.ts';

/** The part of a memory with which a call sleeps and waits. */
export interface RestateWaits extends Required<Pick<CallMemory, 'sleep' | 'waitFor'>> {
  /** Returns what the last run of the tool waits for; undefined where it waits for nothing. */
  readonly waiting: () => Waiting | undefined;
}

/** A call that waits. */
export interface Waiting extends Omit<WaitingState, 'pending'> {
  /** Resolves when something of it has come, so that the tool may run again. */
  readonly over: Promise<void>;
}

/** Options of a call's waits. */
export interface RestateWaitsParts {
  readonly ctx: WorkflowContext;
  readonly pump: PromisePump;
  readonly kept: KeptSteps;
  /** The handle of the call while it waits. */
  readonly handle: string;
  /** How often the call that this one goes on with asked each of its questions. */
  readonly asked: Readonly<Record<string, number>>;
  /** Throws where the call is cancelled: then nothing new begins. */
  readonly assertGoesOn: () => void;
}

/** The answer to a question, as its promise keeps it: a value, or a failure that the tool gets. */
export type Answer = { readonly value: unknown } | { readonly refusal: StepRecord };

/** Something that is waited for outside the tool: its end, once it has come. */
interface Wait {
  readonly over: Promise<void>;
  found?: { readonly answer: unknown };
}

/** Shorter sleeps are slept through: to run a tool again from its top costs more. */
const shortSleepMs = 1000;

/** Creates the sleeps and questions of one call: timers and durable promises of Restate, each asked for once in all runs of the tool. */
export function createRestateWaits({ ctx, pump, kept, handle, asked: before, assertGoesOn }: RestateWaitsParts): RestateWaits {
  const waits = new Map<string, Wait>();
  const wakeTimes = new Map<string, number>();
  /** The waits of this run of the tool. A replay finds the same ones, however early their answers arrive. */
  let awaited = new Map<Wait, number | undefined>();
  let openQuestions: OpenQuestion[] = [];
  let answered: string[] = [];

  function waitOnce(id: string, begin: () => Promise<unknown>): Wait {
    const earlierWait = waits.get(id);
    if (earlierWait !== undefined) return earlierWait;
    const wait: Wait = {
      over: begin().then((answer) => {
        wait.found = { answer };
      }),
    };
    waits.set(id, wait);
    return wait;
  }

  function suspend(wait: Wait, pending: Omit<Pending, 'handle'>, wakeAt?: number): Pending {
    assertGoesOn();
    awaited.set(wait, wakeAt);
    return { handle, ...pending };
  }

  return {
    async sleep(id, ms) {
      const isKnown = waits.has(id);
      if (kept.ask(id) !== undefined && !isKnown) return undefined;
      const isShort = ms < shortSleepMs;
      // Whoever looks at the call reads until when it sleeps; a replay has to find the same time.
      if (!isKnown && !isShort) wakeTimes.set(id, await pump.waitForRun(ctx.run('sleeps until', async () => Date.now() + ms)));
      const wait = waitOnce(id, () => pump.wait(ctx.sleep(ms, 'sleep')));
      if (!isKnown && isShort) await wait.over;
      if (wait.found === undefined)
        return suspend(wait, { reason: 'running', pollAfterMs: Math.min(Math.max(ms, 1), 60_000) }, wakeTimes.get(id));
      kept.keep(id, waitRecord(null));
      return undefined;
    },
    async waitFor(id, given) {
      const question = toQuestion(given);
      const storedAnswer = kept.ask(id);
      const timesBefore = before[id] ?? 0;
      const fits = storedAnswer && !waits.has(`${id}#${timesBefore + 1}`) ? await question.check(storedAnswer.value) : undefined;
      if (fits !== undefined && 'answer' in fits) return fits;
      for (let tries = 1, problem = ''; ; tries += 1) {
        // No question of a call may have the id of one that an earlier call asked: the store would take it for that.
        const name = `${id}#${timesBefore + tries}`;
        const wait = waitOnce(name, () => pump.wait(ctx.promise(name).get()));
        if (wait.found === undefined) {
          const ask = toAsk(question, problem);
          openQuestions.push({ id: name, ask });
          return suspend(wait, { reason: 'input', ask });
        }
        answered.push(name);
        const value = readAnswer(wait.found.answer as Answer | null);
        const checked = await question.check(value);
        if ('answer' in checked) {
          kept.keep(id, waitRecord(value));
          return checked;
        }
        ({ problem } = checked);
      }
    },
    waiting() {
      if (awaited.size === 0) return undefined;
      const times = [...awaited.values()].filter((at) => at !== undefined);
      const waiting = {
        over: Promise.race([...awaited.keys()].map((wait) => wait.over)),
        questions: openQuestions,
        answered,
        ...(times.length > 0 && { wakeAt: Math.min(...times) }),
      };
      [awaited, openQuestions, answered] = [new Map(), [], []];
      return waiting;
    },
  };
}

/** Returns the value of an answer; a refusal is thrown, for the tool. */
function readAnswer(answer: Answer | null): unknown {
  if (answer === null || !('refusal' in answer)) return answer?.value;
  throw fromStepRecord(answer.refusal)?.thrown ?? fail('internal', 'The answer cannot be read here.', { effect: 'none' });
}

function toAsk({ message, schema }: ShownQuestion, problem: string): NonNullable<Pending['ask']> {
  const text = problem === '' ? message : `${message} (The answer before did not fit: ${problem})`;
  return { message: text, ...(schema !== undefined && { schema }) };
}
