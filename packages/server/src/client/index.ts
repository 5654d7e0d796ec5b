export type { BatchAnswer, JsonObject, ListedTool, Outcome } from 'toolpact';
export type { CallSummary } from '../routes/call-summary.ts';
export type { AnswerForm } from './answer-form.ts';
export type {
  BatchCallOptions,
  CallNews,
  CallOptions,
  Client,
  ClientOptions,
  DecidedOne,
  RequestOptions,
  ServedSession,
  ServedSessions,
  SessionDraft,
  SessionSelection,
  Settlement,
} from './client.ts';
export type { ContextIds } from './context-headers.ts';
export { createClient } from './create-client.ts';
export type { AnswerOf, ArgsOf, NamesOf, ServedCall, ServedTools } from './served-tools.ts';
