/** The promises that a tool can make and only a guard can keep, each with the guard that keeps it. */
export const guardOfPromise = {
  idempotency: 'idempotency',
  reconcile: 'idempotency or journal',
  retry: 'retry',
  cache: 'cache',
  deferAfterMs: 'defer',
  approval: 'approvals',
} as const;

/** A promise a tool can make that only a guard can keep. */
export type Promised = keyof typeof guardOfPromise;
