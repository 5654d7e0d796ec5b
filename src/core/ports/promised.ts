/** A promise a tool can make that only a guard can keep. */
export type Promised = 'idempotency' | 'reconcile' | 'retry' | 'cache' | 'deferAfterMs' | 'approval';
