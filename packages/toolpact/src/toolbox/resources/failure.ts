import { type ClassifyHints, classify } from '../../classify/index.ts';
import { ToolFailure } from '../../outcome/index.ts';

/** Where a resource is not ready: its backend is not prepared, it did not open, or this session of it is missing. */
export type NotReadyStage = 'warm_up' | 'open' | 'session';

/** Creates the failure of a resource that is not there. The same call may succeed later, unless its cause says that it cannot. */
export function notReady(
  stage: NotReadyStage,
  message: string,
  { cause, advice }: { readonly cause?: unknown; readonly advice?: string } = {},
): ToolFailure {
  if (cause === undefined) return new ToolFailure('not_ready', message, { details: { stage }, ...(advice !== undefined && { advice }) });
  const { retryable, retryAfterMs, upstream } = classify(cause);
  return new ToolFailure('not_ready', message, {
    details: { stage },
    cause,
    // Only a failure that an author states can say that a retry will not help.
    ...(ToolFailure.isInstance(cause) && { retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(upstream !== undefined && { upstream }),
  });
}

/** Adds to a failure what its cause says, as far as the caller may read it. What to do next follows from the failure, not from its cause. */
export function withReason(thrown: unknown, hints: ClassifyHints): unknown {
  if (!ToolFailure.isInstance(thrown) || thrown.options.cause === undefined) return thrown;
  const { kind, message, options } = thrown;
  const cause = classify(options.cause, { expose: 'authored', ...hints });
  return new ToolFailure(kind, `${message} ${cause.message}`, options);
}
