export {
  defineGuard,
  type Guard,
  type GuardDefinition,
  type GuardedCall,
  type GuardedToolbox,
  type Store,
} from '../../core/runtime/index.ts';
export type { Approval } from './approval-records.ts';
export { type ApprovalMethods, type ApprovalsOptions, approvals, type Decided } from './approvals.ts';
export type { WhenStoreFails } from './assert-options.ts';
export { type BudgetOptions, budget, tokensLeft } from './budget.ts';
export { type CacheOptions, cache } from './cache.ts';
export { type CircuitBreakerOptions, type CircuitChanged, circuitBreaker } from './circuit-breaker.ts';
export { type ConcurrencyOptions, concurrency } from './concurrency.ts';
export { type ContainStraysOptions, containStrays, type Stray } from './contain-strays.ts';
export { type DeferMethods, type DeferOptions, defer } from './defer.ts';
export { type IdempotencyOptions, idempotency } from './idempotency.ts';
export { type JournalMethods, type JournalOptions, journal } from './journal.ts';
export type { LimitBy } from './limit-key.ts';
export { allow, ask, deny, type Policy, type PolicyCall, policy, type Verdict } from './policy.ts';
export { type RateLimitOptions, rateLimit } from './rate-limit.ts';
export { type RepeatBreakerOptions, repeatBreaker } from './repeat-breaker.ts';
export type { PageRequest, ResultPage } from './result-page.ts';
export type { ResumedCall } from './resume.ts';
export { type RetryOptions, retry } from './retry.ts';
export { type ReadResultInput, resultReader, type SpillMethods, type SpillOptions, spill } from './spill.ts';
