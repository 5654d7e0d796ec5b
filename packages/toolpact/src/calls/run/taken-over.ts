import { fail, type ToolFailure } from '../../outcome/index.ts';

/** Creates the failure of a call that this process must not go on with: another one does, and what it has done is not known here. */
export function takenOverFailure(): ToolFailure {
  const message = 'Another process has taken over this call, because this one was silent for too long.';
  return fail('interrupted', message, { effect: 'unknown' });
}
