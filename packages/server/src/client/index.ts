export type { BatchAnswer, JsonObject, ListedTool, Outcome } from 'toolpact';
export type { CallSummary } from '../routes/call-summary.ts';
export type { AnswerForm } from './answer-form.ts';
export type { BatchCallOptions, CallOptions, Client, ClientOptions, RequestOptions, Settlement } from './client.ts';
export { createClient } from './create-client.ts';
export type { ServedTools } from './served-tools.ts';
