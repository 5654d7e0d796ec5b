export {
  defineGuard,
  type Guard,
  type GuardDefinition,
  type GuardedCall,
  type GuardedToolbox,
  type Store,
} from '../../core/runtime/index.ts';
export type { Approval, ApprovalPageRequest } from './approvals/approval-records.ts';
export { type ApprovalMethods, type ApprovalsOptions, approvals, type Decided } from './approvals/approvals.ts';
export { allow, ask, deny, type Policy, type PolicyCall, policy, type Verdict } from './approvals/policy.ts';
export { type ContainStraysOptions, containStrays, type Stray } from './contain-strays.ts';
export { type IdempotencyOptions, idempotency } from './idempotency/idempotency.ts';
export { type JournalMethods, type JournalOptions, journal } from './journal/journal.ts';
export type { ResumedCall } from './journal/resume.ts';
export { type BudgetOptions, budget, tokensLeft } from './limits/budget.ts';
export { type CircuitBreakerOptions, type CircuitChanged, circuitBreaker } from './limits/circuit-breaker.ts';
export { type ConcurrencyOptions, concurrency } from './limits/concurrency.ts';
export type { LimitBy } from './limits/limit-key.ts';
export { type RateLimitOptions, rateLimit } from './limits/rate-limit.ts';
export { type RepeatBreakerOptions, repeatBreaker } from './repeat-breaker.ts';
export { type CacheOptions, cache } from './results/cache.ts';
export { type DeferMethods, type DeferOptions, defer } from './results/defer.ts';
export type { PageRequest, ResultPage } from './results/result-page.ts';
export { type ReadResultInput, resultReader, type SpillMethods, type SpillOptions, spill } from './results/spill.ts';
export { type RetryOptions, retry } from './retry.ts';
export type { WhenStoreFails } from './store-access/assert-options.ts';
