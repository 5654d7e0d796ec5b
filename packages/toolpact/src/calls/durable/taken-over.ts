import { fail, type ToolFailure } from '../../outcome/index.ts';

/** The note of a call that another process goes on with: that one settles those who wait for it. */
export const takenOverNote = 'taken-over';

/** Makes the failure of a call that this process must not go on with: another one does, and what it has done is not known here. */
export function takenOverFailure(): ToolFailure {
  const message = 'Another process has taken this call over, because this one had not been heard of for too long.';
  return fail('interrupted', message, { effect: 'unknown' });
}
