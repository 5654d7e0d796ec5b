import type { Failure, FailureKind, JsonObject, JsonValue, Meta, OkOutcome, Outcome, PendingOutcome } from 'toolpact';
import type { DecodeOptions, Dialect, EncodeOptions } from 'toolpact/dialects';
import type { KnownData } from 'toolpact/internal';
import {
  anything,
  asPending,
  broken,
  checkEncode,
  commonLosses,
  count,
  createDecode,
  extension,
  extensionKey,
  flag,
  foreignError,
  foreignFailure,
  type Held,
  integer,
  isRecord,
  isWaiting,
  looksLike,
  lossTable,
  mapOf,
  mayBeNull,
  missing,
  need,
  object,
  oneOf,
  reader,
  readTookMs,
  record,
  text,
  wrong,
} from 'toolpact/internal';
import { statusSchema } from './status-schema.ts';
import type { ToolErrorType } from './tool-error-type.ts';
import type { ToolErrorDetail, ToolOutput, ToolResultMeta } from './tool-output.ts';

/** The type of each kind. */
const statusTypeOfKind = {
  invalid_input: 'VALIDATION',
  unknown_tool: 'VALIDATION',
  not_found: 'VALIDATION',
  unauthenticated: 'FATAL',
  forbidden: 'FATAL',
  denied: 'FATAL',
  conflict: 'VALIDATION',
  not_ready: 'RETRYABLE',
  not_configured: 'FATAL',
  rate_limited: 'RATE_LIMIT',
  budget_exhausted: 'FATAL',
  timeout: 'TIMEOUT',
  cancelled: 'FATAL',
  interrupted: 'RETRYABLE',
  unreachable: 'RETRYABLE',
  upstream: 'UPSTREAM',
  bad_response: 'UPSTREAM',
  too_large: 'VALIDATION',
  unsupported: 'VALIDATION',
  invalid_output: 'VALIDATION',
  all_failed: 'UPSTREAM',
  failed: 'FATAL',
  internal: 'FATAL',
} as const satisfies Record<FailureKind, ToolErrorType>;

/** The code by which a partial result shows on this wire. */
const partialCode = 'partial_failure';

const kindOfType: Readonly<Record<ToolErrorType, FailureKind>> = {
  RATE_LIMIT: 'rate_limited',
  TIMEOUT: 'timeout',
  UPSTREAM: 'upstream',
  VALIDATION: 'invalid_input',
  RETRYABLE: 'unreachable',
  FATAL: 'internal',
};

/** The status dialect; its envelopes have the type of the outcome. */
export interface StatusDialect extends Dialect<'status', ToolOutput> {
  encode<TOutput, TInput = JsonValue>(outcome: Outcome<TOutput>, options?: EncodeOptions): ToolOutput<TInput, KnownData<TOutput>>;
  encode(outcome: Outcome, options?: EncodeOptions): ToolOutput;
}

const losses = lossTable({
  ...commonLosses.session,
  ...commonLosses.tool,
  ...commonLosses.callId,
  'error.kind': 'several kinds share a type',
  'error.code': 'a failure without one reads with the code of the thrown error',
  'error.details': 'the code of a thrown error reads as that of the failure',
  'error.upstream': 'its request id is not carried',
  'error.retryAfterMs': 'rounded up to whole milliseconds',
  data: 'a failure carries none; that of a partial result lies in details',
  input: 'an absent one reads as {}',
  'meta.tookMs': 'rounded to whole milliseconds',
  'meta.cacheHit': 'a failure does not carry it',
  'meta.tokenUsage': 'a failure does not carry it',
  'meta.sourceCounts': 'a failure does not carry it',
  'meta.routing': 'a failure does not carry it',
});

/** `{ status: 'ok' | 'error', input, data | error, meta }`, frozen. The envelope has the type of the outcome's data. */
export const status: StatusDialect = Object.freeze<Dialect<'status', ToolOutput>>({
  name: 'status',
  encode,
  decode: createDecode({
    name: 'status',
    native: readNative,
    part: (native, held) => (held === 'fallback' ? undefined : native[held]),
    agrees(native, outcome) {
      if (outcome.status === 'error') return native.status === 'error';
      if (outcome.status === 'partial') return native.error?.code === partialCode;
      return native.status === 'ok' && isWaiting(native.data) === isWaiting(dataOf(outcome));
    },
    message: ({ error }) => error?.message,
    names: (native, { kind }) => native.error?.type === statusTypeOfKind[kind],
    foreign: toOutcome,
  }),
  detect: looksLike((json) => {
    if (!('input' in json) || !isRecord(json.meta) || !('took_ms' in json.meta)) return false;
    return json.status === 'ok' ? 'data' in json : json.status === 'error' && isRecord(json.error);
  }),
  jsonSchema: statusSchema,
  losses,
});

function encode(outcome: Outcome, options?: EncodeOptions): ToolOutput {
  checkEncode('status', outcome, options);
  const { input = {}, meta } = outcome;
  const strict = options?.strict === true;
  const heldInput: readonly Held[] = outcome.input === undefined ? [] : ['input'];
  const took_ms = toInteger(Math.round(meta.tookMs));
  if (outcome.status === 'ok' || outcome.status === 'pending') {
    const data = dataOf(outcome);
    const held: readonly Held[] = outcome.status === 'ok' && outcome.data !== undefined ? ['data', ...heldInput] : heldInput;
    const result = { status: 'ok' as const, input, data, meta: toResultMeta(took_ms, meta) };
    return Object.freeze(strict ? result : { ...result, [extensionKey]: extension(outcome, held) });
  }
  const error = Object.freeze(outcome.status === 'error' ? toDetail(outcome.error) : toPartialDetail(outcome));
  const failed = { status: 'error' as const, input, error, meta: Object.freeze({ took_ms }) };
  return Object.freeze(strict ? failed : { ...failed, [extensionKey]: extension(outcome, heldInput) });
}

function dataOf(outcome: OkOutcome | PendingOutcome): JsonValue {
  return (outcome.status === 'ok' ? (outcome.data ?? null) : { pending: outcome.pending }) as JsonValue;
}

function toResultMeta(took_ms: number, { sourceCounts, routing, cacheHit, tokenUsage }: Meta): ToolResultMeta {
  return Object.freeze({
    took_ms,
    ...(sourceCounts !== undefined && { source_counts: sourceCounts }),
    ...(routing !== undefined && { routing }),
    ...(cacheHit !== undefined && { cache_hit: cacheHit }),
    ...(tokenUsage !== undefined && { token_usage: tokenUsage }),
  });
}

function toDetail({ kind, message, code: own, cause, details, retryAfterMs, upstream, attempt }: Failure): ToolErrorDetail {
  // The code of a thrown error is among its details.
  const { code: thrown, ...rest } = details ?? {};
  const code = own ?? (typeof thrown === 'string' ? thrown : undefined);
  const more = own === code || Object.keys(rest).length > 0 ? (own === code ? details : rest) : undefined;
  return {
    type: statusTypeOfKind[kind],
    message,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause }),
    ...(more !== undefined && { details: more }),
    retry_after_ms: retryAfterMs === undefined ? null : toInteger(Math.ceil(retryAfterMs)),
    ...(upstream?.status !== undefined && { upstream_status: upstream.status }),
    ...(upstream?.endpoint !== undefined && { endpoint: upstream.endpoint }),
    ...(attempt !== undefined && { attempt }),
  };
}

/** Beyond this no reader could tell one integer from the next. */
function toInteger(whole: number): number {
  return Math.min(whole, Number.MAX_SAFE_INTEGER);
}

/** This wire has no middle: a partial result is an error whose details hold what succeeded. */
function toPartialDetail({ data, failures, total, message }: Extract<Outcome, { status: 'partial' }>): ToolErrorDetail {
  return {
    type: failures.length > 0 && failures.every(({ error }) => error.retryable) ? 'RETRYABLE' : 'UPSTREAM',
    message: message ?? `${failures.length} of ${total} items failed`,
    code: partialCode,
    details: { data: (data ?? null) as JsonValue, failed_count: failures.length, total },
    retry_after_ms: null,
  };
}

interface Native {
  readonly status: 'ok' | 'error';
  readonly input: JsonValue;
  readonly data?: JsonValue;
  readonly error?: {
    readonly type: ToolErrorType;
    readonly message: string;
    readonly code?: string;
    readonly cause?: string;
    readonly details?: JsonObject;
    readonly retry_after_ms?: number;
    readonly upstream_status?: number;
    readonly endpoint?: string;
    readonly attempt?: number;
  };
  readonly meta: ToolResultMeta;
}

const counts = mapOf(count);
const readResult = reader({
  status: need(text),
  input: need(anything),
  data: need(anything),
  meta: need(
    record({
      took_ms: need(count),
      source_counts: mayBeNull(counts),
      routing: mayBeNull(object),
      cache_hit: mayBeNull(flag),
      token_usage: mayBeNull(counts),
    }),
  ),
});
const readError = reader({
  status: need(text),
  input: need(anything),
  error: need(
    record({
      type: need(oneOf(Object.keys(kindOfType))),
      message: need(text),
      code: mayBeNull(text),
      cause: mayBeNull(text),
      details: mayBeNull(object),
      retry_after_ms: mayBeNull(integer),
      upstream_status: mayBeNull(integer),
      endpoint: mayBeNull(text),
      attempt: mayBeNull(integer),
    }),
  ),
  meta: need(record({ took_ms: need(count) })),
});

function readNative(envelope: JsonObject): Native {
  const given = envelope.status;
  if (given === undefined) return missing(['status'], 'ok or error');
  if (given !== 'ok' && given !== 'error') return wrong(['status'], 'one of ok, error', given);
  if (given === 'ok' && (envelope.error ?? null) !== null) broken(['error'], 'status is ok, yet error is set');
  if (given === 'error' && (envelope.data ?? null) !== null) broken(['data'], 'status is error, yet data is set');
  return (given === 'ok' ? readResult : readError)(envelope, []) as unknown as Native;
}

function toOutcome({ input, data = null, error, meta: given }: Native, options: DecodeOptions): Outcome {
  const { took_ms, source_counts, routing, cache_hit, token_usage } = given;
  const meta: Meta = Object.freeze({
    tookMs: readTookMs(took_ms),
    attempts: 1,
    ...(cache_hit !== undefined && { cacheHit: cache_hit }),
    ...(token_usage !== undefined && { tokenUsage: token_usage }),
    ...(source_counts !== undefined && { sourceCounts: source_counts }),
    ...(routing !== undefined && { routing }),
  });
  if (error === undefined) return asPending(data, meta, ['data'], { input }) ?? Object.freeze({ status: 'ok', data, input, meta });
  const { type, message, code, cause, details, retry_after_ms, upstream_status, endpoint, attempt } = error;
  const upstream = { ...(upstream_status !== undefined && { status: upstream_status }), ...(endpoint !== undefined && { endpoint }) };
  const facts = {
    message,
    code,
    cause,
    details,
    // Any integer is allowed on this wire; one that counts nothing says nothing.
    retryAfterMs: retry_after_ms !== undefined && retry_after_ms >= 0 ? retry_after_ms : undefined,
    attempt: attempt !== undefined && attempt >= 1 ? attempt : undefined,
    upstream: Object.keys(upstream).length > 0 ? upstream : undefined,
  };
  return foreignError(foreignFailure(kindOfType[type], facts, options), meta, { input });
}
