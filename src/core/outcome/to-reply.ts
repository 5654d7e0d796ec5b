import type { Outcome } from './outcome.ts';
import { branded, type Reply } from './reply.ts';
import { toToolFailure } from './tool-failure.ts';

/** Gives what a handler must return so that its call ends like another one did. */
export function toReply(outcome: Outcome): Reply<unknown> {
  if (outcome.status === 'error') {
    const { error, data, failures } = outcome;
    return toToolFailure(error, data, { cause: error.cause, failures });
  }
  const { message, content, failures, meta } = outcome as Extract<Outcome, { status: 'partial' }>;
  return branded({ ...outcome, failed: failures, options: { ...meta, message, content } }) as unknown as Reply<unknown>;
}
