import type { Failure, FailureKind } from 'toolpact';

/** The fix for a server that refuses the credentials. */
export const keyFix = 'Set TOOLPACT_API_KEY to a key that the server accepts.';

/** Checks whether a server refused the credentials, which shows that the address is right. */
export function needsKey(kind: FailureKind): boolean {
  return kind === 'unauthenticated' || kind === 'forbidden';
}

/** Says how to put right what a server refused: with a key, with a key that may do more, or as the server advises. */
export function fixOf({ kind, advice, details }: Failure): string | undefined {
  if (kind === 'unauthenticated') return keyFix;
  const scope = details?.scope;
  if (kind !== 'forbidden' || typeof scope !== 'string') return advice;
  return `Set TOOLPACT_API_KEY to a key that has it. \`toolpact key <tenant> ${scope}\` creates one.`;
}
