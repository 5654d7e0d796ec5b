import type { Loss } from './dialect.ts';

/** Losses of every dialect's strict envelope, unless the dialect's own table says more. */
const everywhere = {
  status: 'partial reads as error; a result that looks like a pending call reads as one',
  message: 'not carried',
  content: 'not carried',
  input: 'not carried',
  fallback: 'not carried',
  failures: 'not carried',
  total: 'not carried',
  'error.advice': 'what follows from the failure as it is read',
  'error.recovery': 'verify, unless the reader knows what the tool does',
  'error.retryable': 'false, unless the reader knows what the tool does',
  'error.effect': 'unknown, unless the reader knows what the tool does',
  'error.issues': 'not carried',
  'error.errorType': 'not carried',
  'error.debugId': 'not carried',
  'meta.attempts': 'reads as 1',
  'meta.invocationId': 'not carried',
  'meta.runId': 'not carried',
  'meta.ids': 'not carried',
  'meta.tenantId': 'not carried',
  'meta.replayed': 'not carried',
  'meta.resultRef': 'not carried',
  'meta.truncated': 'not carried',
  'meta.warnings': 'not carried',
  'meta.cacheHit': 'not carried',
  'meta.tokenUsage': 'not carried',
  'meta.sourceCounts': 'not carried',
  'meta.routing': 'not carried',
} as const;

const facts = {
  'error.upstream': 'not carried',
  'error.retryAfterMs': 'not carried',
  'error.attempt': 'not carried',
  'error.cause': 'not carried',
  'error.details': 'not carried',
} as const;
const session = {
  'meta.traceId': 'not carried',
  'meta.sessionId': 'not carried',
  'meta.resourceType': 'not carried',
  'meta.temporarySession': 'not carried',
} as const;
const time = { 'meta.tookMs': 'reads as 0.001' } as const;
const tool = { 'meta.tool': 'not carried' } as const;
const callId = { 'meta.callId': 'not carried' } as const;

/** Losses that several dialects share, by subject. */
export const commonLosses = {
  facts,
  session,
  tool,
  callId,
  circumstances: { ...facts, ...session, ...time, ...tool, ...callId },
} as const;

/** Losses of every format that a model reads as text. */
const inText = {
  ...facts,
  ...session,
  ...time,
  status: 'partial reads as error; a result whose text leads with the marker of a failure or of a pending call reads as that',
  'error.message': 'reads back with the issues, the host and the status that the text for the model contains',
  'error.code': 'a code that is empty or holds a bracket is cut',
  message: 'that of a result reads as part of its text; a pending call reads back with the text for the model',
} as const;

const pendingInText = {
  'pending.handle': 'a handle that looks like the end of the marker is cut',
  'pending.ask': 'not carried',
  'pending.expiresAt': 'not carried',
  'pending.pollAfterMs': 'not carried',
  'pending.progress': 'not carried',
} as const;

/** The losses of each dialect of the library when it is written strictly and read back. */
export const losses = {
  mcp: lossTable({
    ...inText,
    ...tool,
    ...callId,
    content: 'reads back as the blocks that the model was shown',
    data: 'a result that is not an object reads as its text; a failure carries none',
  }),
  openai: lossTable({
    ...inText,
    ...pendingInText,
    ...tool,
    data: 'reads as its text; a failure carries none',
    'meta.callId': 'an empty one reads as absent',
  }),
  anthropic: lossTable({
    ...inText,
    ...pendingInText,
    ...tool,
    data: 'reads as its text; a failure carries none',
    'meta.callId': 'an empty one reads as absent',
  }),
  gemini: lossTable({
    ...inText,
    ...pendingInText,
    data: 'reads as its text where the tool wrote one for the model, or it is only partial; a failure carries none',
    'meta.tool': 'reads as the name that providers accept',
  }),
  problem: lossTable({
    ...commonLosses.circumstances,
    status: 'partial reads as error',
    'error.issues': 'only pointer and text are carried, and they are not read back',
    message: 'that of a partial result reads as the error',
    'meta.invocationId': 'a UUID is carried as instance, and not read back',
  }),
} as const;

/** Creates the table of a dialect: what no strict envelope gives back, and what this one loses besides or in another way. */
export function lossTable(own: Readonly<Record<string, string>>): readonly Loss[] {
  return Object.freeze(Object.entries({ ...everywhere, ...own }).map(([path, note]) => Object.freeze({ path, note })));
}
