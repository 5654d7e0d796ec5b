export type {
  CallOptions,
  Client,
  ClientOptions,
  ClientSessions,
  ServedSession,
} from './client.ts';
export { createClient } from './create-client.ts';
export type { ServedTools } from './served-tools.ts';
