/** What a tool can declare and cannot keep by itself: all but `retry` need a store. */
export const promises = ['idempotency', 'reconcile', 'retry', 'cache', 'deferAfterMs', 'approval'] as const;

/** Something that a tool declares and that its toolbox keeps. */
export type Promised = (typeof promises)[number];
