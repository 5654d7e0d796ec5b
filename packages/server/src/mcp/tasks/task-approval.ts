import type { RecordedCall } from 'toolpact';

/** Checks whether a person has allowed a call that has not run since. */
export function isApproved({ approval }: RecordedCall): boolean {
  return approval?.state === 'approved';
}

/** When an approval of a call can be given, or used, no more, in epoch milliseconds. */
export function expiryOf({ approval }: RecordedCall): number {
  return approval?.expiresAt ?? Number.POSITIVE_INFINITY;
}
