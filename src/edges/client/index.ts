// All that is public, and what only authors need.
export type { AnswerForm } from './answer-form.ts';
export type { SessionDraft, SessionSelection, Settlement } from './client.ts';
export type { ContextIds } from './context-headers.ts';
export * from './public.ts';
export type { AnswerOf, ArgsOf, NamesOf, ServedCall } from './served-tools.ts';
