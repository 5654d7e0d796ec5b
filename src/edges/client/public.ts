export type {
  BatchCallOptions,
  CallOptions,
  Client,
  ClientOptions,
  ClientSessions,
  RequestOptions,
  ServedSession,
  ServedSessions,
  SessionDraft,
  SessionSelection,
  Settlement,
} from './client.ts';
export { createClient } from './create-client.ts';
export type { ServedTools } from './served-tools.ts';
