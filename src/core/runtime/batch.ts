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

/** Runs calls a few at a time and answers each of them, in call order. */
export async function runBatch(
  calls: readonly BatchCall[],
  options: BatchOptions,
  answer: (call: { readonly name: string; readonly args?: unknown; readonly callId: string }, context: CallContext) => Promise<Outcome>,
  skip: (call: { readonly name: string; readonly args?: unknown; readonly callId: string }, failedId: string) => Outcome,
): Promise<BatchAnswer[]> {
  const { concurrency = 8, stopOnError = false } = options;
  const answers: BatchAnswer[] = new Array(calls.length);
  let next = 0;
  let failedId: string | undefined;

  async function work(): Promise<void> {
    while (next < calls.length) {
      const index = next;
      next += 1;
      const { id = String(index), tool = '', args, timeoutMs = options.timeoutMs } = calls[index] ?? { tool: '' };
      const outcome =
        failedId === undefined
          ? await answer({ name: tool, args, callId: id }, timeoutMs === undefined ? {} : { timeoutMs })
          : skip({ name: tool, args, callId: id }, failedId);
      answers[index] = { id, outcome };
      if (stopOnError && outcome.status === 'error') failedId ??= id;
    }
  }

  const workers = Math.min(calls.length, Math.max(1, Math.floor(concurrency) || 1));
  await Promise.all(Array.from({ length: workers }, work));
  return answers;
}
