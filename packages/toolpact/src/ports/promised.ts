/** The promises that a tool can declare but not keep by itself: all but `retry` need a store. */
export const promises = ['idempotency', 'reconcile', 'retry', 'cache', 'deferAfterMs', 'approval'] as const;

/** Something that a tool declares and that its toolbox keeps. */
export type Promised = (typeof promises)[number];
