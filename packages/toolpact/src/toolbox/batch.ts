import type { CallContext } from '../contract/index.ts';
import { peek } from '../json/index.ts';
import { type Outcome, refuseOptions } from '../outcome/index.ts';
import { createBatchBarrier } from './batch-barrier.ts';

/** One call of a batch. */
export interface BatchCall {
  /** @default the call's place in the batch */
  readonly id?: string;
  readonly tool: string;
  readonly args?: unknown;
  /** Time for this item alone. */
  readonly timeoutMs?: number;
  /** Makes this call and others with the same key one call; several calls cannot share that of their context. */
  readonly idempotencyKey?: string;
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
export type PassBarrier = () => Promise<string | undefined>;

/** Runs calls a few at a time and answers each of them, in call order. Where guards decide about them, none runs before all have passed. */
export async function runBatch(
  given: readonly BatchCall[],
  options: BatchOptions | undefined,
  answer: (call: NamedCall, context: CallContext, gate?: PassBarrier) => Promise<Outcome>,
  skip: (call: NamedCall, failedId: string) => Outcome,
  hasApproval: boolean,
): Promise<BatchAnswer[]> {
  refuseOptions('batch', options, { concurrency: true, stopOnError: true, timeoutMs: true });
  let calls: readonly BatchCall[] = [];
  try {
    calls = [...(given ?? [])];
  } catch {
    // A list that cannot be read is a list without calls.
  }
  const stopOnError = peek(options, 'stopOnError');
  const asked = Math.floor(Number(peek(options, 'concurrency') ?? 8));
  const concurrency = Math.min(calls.length, Number.isNaN(asked) ? 1 : Math.max(1, asked));
  const answers: BatchAnswer[] = new Array(calls.length);
  const enter = hasApproval ? createBatchBarrier(calls.length, concurrency) : undefined;
  let next = 0;
  let failed: { readonly id: string; readonly index: number } | undefined;

  async function work(): Promise<void> {
    while (next < calls.length) {
      const index = next;
      next += 1;
      let id = String(index);
      let tool = '';
      let args: unknown;
      let timeoutMs = peek(options, 'timeoutMs');
      let idempotencyKey: string | undefined;
      try {
        ({ id = id, args, timeoutMs = timeoutMs, idempotencyKey, tool = tool } = calls[index] as BatchCall);
      } catch {
        // `tool` is read last: if a getter throws, it stays empty and the call is answered as an unknown tool.
      }
      const call = { name: tool, args, callId: id };
      const turn = enter?.(index);
      const gate =
        turn &&
        (async () => {
          await turn.pass();
          // A call that failed at its gate does not stop those before it.
          return failed && failed.index < index ? failed.id : undefined;
        });
      const outcome = failed === undefined ? await answer(call, { timeoutMs, idempotencyKey } as CallContext, gate) : skip(call, failed.id);
      answers[index] = { id, outcome };
      if (stopOnError && outcome.status === 'error' && !(failed && failed.index < index)) failed = { id: String(id), index };
      turn?.leave();
    }
  }

  await Promise.all(Array.from({ length: enter === undefined ? concurrency : calls.length }, work));
  return answers;
}
