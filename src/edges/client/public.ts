export type { JsonObject, Outcome } from '../../core/outcome/index.ts';
export type { BatchAnswer, ListedTool } from '../../core/runtime/index.ts';
export type { CallSummary } from '../../parts/guards/index.ts';
export type {
  BatchCallOptions,
  CallNews,
  CallOptions,
  Client,
  ClientOptions,
  RequestOptions,
  ServedSession,
} from './client.ts';
export { createClient } from './create-client.ts';
export type { ServedTools } from './served-tools.ts';
