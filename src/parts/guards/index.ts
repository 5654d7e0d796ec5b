export { type ContainStraysOptions, containStrays, type Stray } from './contain-strays.ts';
export { type IdempotencyOptions, idempotency } from './idempotency.ts';
export { type JournalMethods, type JournalOptions, journal } from './journal.ts';
export type { ResumedCall } from './resume.ts';
