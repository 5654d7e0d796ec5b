// All that is public, and what only authors need.
export type { ApprovalPageRequest } from '../../core/ports/index.ts';
export type { PolicyCall } from './approvals/policy.ts';
export { createWorker, type Worker, type WorkerOptions } from './durable/create-worker.ts';
export { startWorker } from './durable/start-worker.ts';
export type { TakenCall } from './durable/worker-options.ts';
export { comparePlaces, createCallFeed, type FeedLook, type FeedPlace, placeOf } from './journal/call-feed.ts';
export { type CallSummary, summarizeCalls } from './journal/call-summary.ts';
export type { CircuitChanged } from './limits/circuit-breaker.ts';
export type { LimitBy } from './limits/limit-key.ts';
export * from './public.ts';
export type { PageRequest } from './results/result-page.ts';
export type { WhenStoreFails } from './store-access/assert-options.ts';
