import type { Outcome, ToolFailure } from '../outcome/index.ts';
import type { GuardedCall } from './guarded-call.ts';

/** Ends a call with a failure that is made already, without running its tool. */
export function refuseWith(call: Pick<GuardedCall, 'refuse'>, { kind, message, options }: ToolFailure): Outcome {
  return call.refuse(kind, message, options);
}
