import type { Loss } from './dialect.ts';

const gone = 'not carried';

/** What any format without a place for it loses, by group. */
const groups = {
  failureText: ['error.recovery', 'error.retryable', 'error.effect', 'error.issues', 'error.errorType', 'error.debugId'],
  failureFacts: ['error.retryAfterMs', 'error.upstream', 'error.attempt', 'error.cause', 'error.details'],
  ids: ['meta.invocationId', 'meta.runId', 'meta.ingestionRunId', 'meta.tenantId', 'meta.replayed', 'meta.resultRef', 'meta.truncated', 'meta.warnings', 'meta.attempts'],
  names: ['meta.tool', 'meta.traceId', 'meta.sessionId', 'meta.resourceType', 'meta.tookMs'],
  counts: ['meta.cacheHit', 'meta.tokenUsage', 'meta.sourceCounts', 'meta.routing'],
  items: ['failures', 'total'],
} as const;

const partialReads: Loss = { path: 'status', note: 'partial reads as error; a result that looks like a pending call reads as one' };

function lost(...paths: readonly string[]): Loss[] {
  return paths.map((path) => ({ path, note: gone }));
}

function changed(notes: Readonly<Record<string, string>>): Loss[] {
  return Object.entries(notes).map(([path, note]) => ({ path, note }));
}

/** What `flat` loses when it is written strictly. */
export const flatLosses: readonly Loss[] = [
  partialReads,
  ...changed({
    'error.kind': 'reads as upstream',
    error: 'a partial result reads as one',
    data: 'reads back together with the echoed input; a key named success, error, error_code, _toolpact or __proto__ is left out; what is no object reads as { data }',
    fallback: "reads back together with the echoed input, and a failure's data reads as fallback",
    input: 'reads as part of the data',
    pending: 'next to a key of the input that is named pending',
  }),
  ...lost('error.code', 'message', 'content', 'meta.callId', ...groups.failureText, ...groups.failureFacts, ...groups.ids, ...groups.names, ...groups.counts, ...groups.items),
];

/** What `coded` loses when it is written strictly. */
export const codedLosses: readonly Loss[] = [
  partialReads,
  ...changed({
    'error.kind': 'several kinds share a number',
    'error.code': 'only a code that selects a number is read back',
    'error.details': 'an unlisted number reads as details.code',
    error: 'a partial result reads as one',
    data: 'what is no object reads as { result }; a partial result gains failed_count; a fallback reads as data',
    message: 'a success always says "success"',
    'meta.tool': 'an absent or empty one reads as absent',
    'meta.traceId': 'an absent or empty one reads as absent',
  }),
  ...lost('fallback', 'content', 'input', 'meta.callId', ...groups.failureText, 'error.retryAfterMs', 'error.upstream', 'error.attempt', 'error.cause', ...groups.ids, ...groups.counts, ...groups.items),
];

/** What `value` loses when it is written strictly. */
export const valueLosses: readonly Loss[] = [
  partialReads,
  ...changed({
    'error.kind': 'reads as upstream',
    error: 'a partial result reads as one',
    data: 'null next to a failure reads as absent',
    message: 'an absent one reads as "OK"',
  }),
  ...lost('error.code', 'fallback', 'content', 'input', 'meta.callId', ...groups.failureText, ...groups.failureFacts, ...groups.ids, ...groups.names, ...groups.counts, ...groups.items),
];

/** What `status` loses when it is written strictly. */
export const statusLosses: readonly Loss[] = [
  partialReads,
  ...changed({
    'error.kind': 'several kinds share a type',
    error: 'a partial result reads as one, with its data under details',
    data: 'a failure carries none',
    input: 'an absent one reads as {}',
    'meta.tookMs': 'rounded to whole milliseconds',
    'error.upstream': 'the request id is not carried',
  }),
  ...lost('message', 'content', 'fallback', 'meta.callId', 'meta.tool', 'meta.traceId', 'meta.sessionId', 'meta.resourceType', ...groups.failureText, ...groups.ids, ...groups.counts, ...groups.items),
];

const textLosses: readonly Loss[] = [
  partialReads,
  ...changed({
    'error.message': 'reads back with the advice and issues that the model was told',
    'error.kind': 'the kind of a failure whose code holds a bracket',
    'error.code': 'a code that holds a bracket is cut',
    error: 'a result whose text leads with the marker of a failure reads as one',
    message: 'a pending call reads back with the message that the model was told',
    'pending.reason': 'read from the message where that tells it, else running',
  }),
  ...lost('pending.ask', 'pending.expiresAt', 'pending.pollAfterMs'),
  ...lost('fallback', 'input', ...groups.failureText, ...groups.failureFacts, ...groups.ids, ...groups.counts, ...groups.items),
  ...lost('meta.traceId', 'meta.sessionId', 'meta.resourceType', 'meta.tookMs'),
];
