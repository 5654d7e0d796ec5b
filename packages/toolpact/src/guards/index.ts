// All that is public, and what only authors need.

export { createWorker, type Worker, type WorkerOptions } from '../calls/durable/create-worker.ts';
export { startWorker } from '../calls/durable/start-worker.ts';
export { comparePlaces, createCallFeed, type FeedLook, type FeedPlace, placeOf } from '../calls/journal/call-feed.ts';
export { type CallSummary, summarizeCalls } from '../calls/journal/call-summary.ts';
export type { WhenStoreFails } from '../calls/store-access/assert-options.ts';
export type { ApprovalPageRequest, TakenCall } from '../ports/index.ts';
export type { CircuitChanged } from './limits/circuit-breaker.ts';
export type { LimitBy } from './limits/limit-key.ts';
export type { PolicyCall } from './policy.ts';
export * from './public.ts';
export type { PageRequest } from './results/result-page.ts';
