import { ToolFailure } from '../../outcome/index.ts';
import { withTimeLimit } from '../../time/index.ts';

/** How long foreign code may run, and what may stop it earlier. */
export interface RunLimit<TValue> {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Gets a value that came too late, after the wait had ended. */
  readonly onLate?: (value: TValue) => void;
}

/**
 * Runs foreign code for a limited time. Rejects with what it threw, with a `TimeoutError`, or with the reason of the signal; the
 * signal that the code is given fires in the last two cases.
 */
export async function limitTime<TValue>(
  run: (signal: AbortSignal) => TValue | PromiseLike<TValue>,
  { ms, signal, onLate }: RunLimit<TValue>,
): Promise<TValue> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const running = attempt(run, controller.signal);
  const giveUp = (): never => {
    const reason: unknown = signal?.aborted ? signal.reason : new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError');
    running.then(onLate, () => undefined);
    controller.abort(reason);
    throw reason;
  };
  return withTimeLimit(running, { ms, signal, onLate: giveUp, background: true });
}

async function attempt<TValue>(run: (signal: AbortSignal) => TValue | PromiseLike<TValue>, signal: AbortSignal): Promise<TValue> {
  const value = await run(signal);
  // A failure that is returned and one that is thrown are the same thing.
  if (value instanceof Error || ToolFailure.isInstance(value)) throw value;
  return value;
}
