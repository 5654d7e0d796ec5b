import type { CallWait } from 'toolpact';
import type { Tone } from './outcome-words.ts';

/** A word for what became of a question. */
export const waitWords: Readonly<Record<CallWait['state'], string>> = {
  open: 'Open',
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};

/** How each is coloured. */
export const waitTones: Readonly<Record<CallWait['state'], Tone>> = {
  open: 'wait',
  approved: 'good',
  denied: 'bad',
  answered: 'good',
  withdrawn: 'calm',
  expired: 'calm',
};

/** Says who decided about a question, after the word for what became of it. */
export function deciderText({ state, by }: Pick<CallWait, 'state' | 'by'>): string {
  if (state === 'open') return 'Nobody has decided yet.';
  if (state === 'expired') return 'Nobody decided in time.';
  if (state === 'withdrawn') return 'Its call has ended, or asks something else now.';
  return by === undefined ? 'by an unknown person.' : `by ${by}.`;
}

/** Says in a sentence how a call stands that waited for its approval and has not run since. */
export function approvalText(wait: Pick<CallWait, 'state' | 'by'> | undefined): string {
  if (wait === undefined || wait.state === 'open') return 'Decided, or expired.';
  const by = wait.by === undefined ? '' : ` by ${wait.by}`;
  if (wait.state === 'approved') return `Approved${by}. It runs when the agent makes the same call again.`;
  if (wait.state === 'denied') return `Denied${by}. It has not run.`;
  return `${deciderText(wait)} It has not run.`;
}
