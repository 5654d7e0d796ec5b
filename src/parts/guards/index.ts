// All that is public, and what only authors need.
export type { PolicyCall } from './approvals/policy.ts';
export { type CallSummary, summarizeCalls } from './journal/call-summary.ts';
export type { CircuitChanged } from './limits/circuit-breaker.ts';
export type { LimitBy } from './limits/limit-key.ts';
export * from './public.ts';
export type { ReadResultInput } from './results/spill.ts';
export type { WhenStoreFails } from './store-access/assert-options.ts';
