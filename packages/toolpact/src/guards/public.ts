// The entry `toolpact/guards`.

export type { Guard } from '../ports/index.ts';
export type { Tool } from '../runtime/index.ts';
export { type BudgetOptions, budget, tokensLeft } from './limits/budget.ts';
export { type CircuitBreakerOptions, circuitBreaker } from './limits/circuit-breaker.ts';
export { type ConcurrencyOptions, concurrency } from './limits/concurrency.ts';
export { type RateLimitOptions, rateLimit } from './limits/rate-limit.ts';
export { allow, ask, deny, type Policy, policy, type Verdict } from './policy.ts';
export { type RepeatBreakerOptions, repeatBreaker } from './repeat-breaker.ts';
export type { PageRequest, ResultPage } from './results/result-page.ts';
export { resultReader, type SpillMethods, type SpillOptions, spill } from './results/spill.ts';
