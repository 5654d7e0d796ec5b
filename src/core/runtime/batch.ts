import type { CallContext } from '../contract/index.ts';
import type { Outcome } from '../outcome/index.ts';

/** One call of a batch. */
export interface BatchCall {
  /** @default the call's place in the batch */
  readonly id?: string;
  readonly tool: string;
  readonly args?: unknown;
  /** Time for this item alone. */
  readonly timeoutMs?: number;
}

/** How a batch runs. */
export interface BatchOptions {
  /** How many calls may run at once. @default 8 */
  readonly concurrency?: number;
  /** Whether the first failure keeps the calls not yet started from starting; they are answered as skipped. @default false */
  readonly stopOnError?: boolean;
  /** Time for each item that states none. */
  readonly timeoutMs?: number;
}

/** The answer to one call of a batch. */
export interface BatchAnswer {
  readonly id: string;
  readonly outcome: Outcome;
}

type NamedCall = { readonly name: string; readonly args?: unknown; readonly callId: string };

/** Lets a call on when its turn has come; gives the id of the failed call because of which it must not run. */
export type Gate = () => Promise<string | undefined>;

/** Runs calls a few at a time and answers each of them, in call order. When they are gated, none runs before all have passed their gates. */
export async function runBatch(
  calls: readonly BatchCall[],
  options: BatchOptions,
  answer: (call: NamedCall, context: CallContext, gate?: Gate) => Promise<Outcome>,
  skip: (call: NamedCall, failedId: string) => Outcome,
  gated: boolean,
): Promise<BatchAnswer[]> {
  const { stopOnError = false } = options;
  const concurrency = Math.min(calls.length, Math.max(1, Math.floor(options.concurrency ?? 8) || 1));
  const answers: BatchAnswer[] = new Array(calls.length);
  const turns = createTurnstile(gated ? calls.length : 0, concurrency);
  let next = 0;
  let failedId: string | undefined;

  async function work(): Promise<void> {
    while (next < calls.length) {
      const index = next;
      next += 1;
      const { id = String(index), tool = '', args, timeoutMs = options.timeoutMs } = calls[index] ?? { tool: '' };
      const call = { name: tool, args, callId: id };
      const turn = turns.enter(index);
      const gate: Gate = async () => {
        await turn.pass();
        return failedId;
      };
      const outcome =
        failedId === undefined
          ? await answer(call, timeoutMs === undefined ? {} : { timeoutMs }, gated ? gate : undefined)
          : skip(call, failedId);
      answers[index] = { id, outcome };
      if (stopOnError && outcome.status === 'error') failedId ??= id;
      turn.leave();
    }
  }

  await Promise.all(Array.from({ length: gated ? calls.length : concurrency }, work));
  return answers;
}

/** Holds everybody back until as many have come as are expected, then lets a few through at a time, in order. */
function createTurnstile(
  expected: number,
  room: number,
): { readonly enter: (index: number) => { readonly pass: () => Promise<void>; readonly leave: () => void } } {
  const waiting: { readonly index: number; readonly go: () => void }[] = [];
  let arrived = 0;
  let inside = 0;
  const letIn = (): void => {
    if (arrived < expected) return;
    waiting.sort((a, b) => b.index - a.index);
    while (inside < room && waiting.length > 0) {
      inside += 1;
      waiting.pop()?.go();
    }
  };
  return {
    enter: (index) => {
      let place: (typeof waiting)[number] | undefined;
      let isInside = false;
      return {
        pass: () => {
          arrived += 1;
          return new Promise((resolve) => {
            const go = (): void => {
              isInside = true;
              resolve();
            };
            place = { index, go };
            waiting.push(place);
            letIn();
          });
        },
        leave: () => {
          // Whoever ran out of time while waiting has taken nobody's room.
          if (isInside) inside -= 1;
          else if (place === undefined) arrived += 1;
          else waiting.splice(waiting.indexOf(place), 1);
          letIn();
        },
      };
    },
  };
}
