import { canonicalJson, isPlainData, takePromise } from '../json/index.ts';
import type { Failure } from '../outcome/index.ts';
import type { GuardedCall, GuardedTool } from './guarded-call.ts';

/** Returns the idempotency key of a call; an empty one where its tool made none that can be compared, because all such calls would be one. */
export function keyOf({ tool, input, context }: Pick<GuardedCall, 'tool' | 'input' | 'context'>): string | undefined {
  const own = tool.idempotency?.key;
  if (own === undefined) return context.idempotencyKey === '' ? undefined : context.idempotencyKey;
  const key: unknown = own(input as never);
  if (typeof key === 'string') return key;
  // A key that an asynchronous function made is never looked at.
  takePromise(key);
  return key === undefined || key === null || Number.isNaN(key) || !isPlainData(key) ? '' : canonicalJson(key);
}

/** Checks whether a call that failed leaves its key to the next call: running the tool again does nothing twice. */
export function freesKey({ effects, steps }: Pick<GuardedTool, 'effects' | 'steps'>, { effect, retryable }: Failure): boolean {
  // Steps that took effect are remembered, so such a call may run again; a tool without steps would do everything again.
  return effect === 'none' || effects !== 'writes' || (steps && effect === 'applied' && retryable);
}
