// The entry `toolpact/guards`.

export type { WhenStoreFails } from '../calls/index.ts';
export type { Approval, ApprovalPageRequest, Guard } from '../ports/index.ts';
export type { Tool } from '../runtime/index.ts';
export { type BudgetOptions, budget, tokensLeft } from './limits/budget.ts';
export { type CircuitBreakerOptions, type CircuitChanged, circuitBreaker } from './limits/circuit-breaker.ts';
export { type ConcurrencyOptions, concurrency } from './limits/concurrency.ts';
export type { LimitBy } from './limits/limit-key.ts';
export { type RateLimitOptions, rateLimit } from './limits/rate-limit.ts';
export { allow, ask, deny, type Policy, type PolicyCall, policy, type Verdict } from './policy.ts';
export { type RepeatBreakerOptions, repeatBreaker } from './repeat-breaker.ts';
export type { PageRequest, ResultPage } from './results/result-page.ts';
export { resultReader, type SpillMethods, type SpillOptions, spill } from './results/spill.ts';
