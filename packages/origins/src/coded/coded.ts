import type { RefusalFacts, RefusedRequest, ServedDialect } from '@toolpact/server';
import type { ErrorOutcome, ItemFailure, JsonObject, JsonValue, Outcome } from 'toolpact';
import type { DecodeOptions, Dialect, EncodeOptions } from 'toolpact/dialects';
import {
  amount,
  asPending,
  broken,
  checkEncode,
  commonLosses,
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
  may,
  need,
  object,
  orNull,
  reader,
  readTookMs,
  record,
  text,
} from 'toolpact/internal';
import type { CodedMeta, CodedResponse } from './build-response.ts';
import { codedSchema } from './coded-schema.ts';
import { errorCodes } from './error-codes.ts';
import { readPartialData } from './read-partial-data.ts';
import { selectNumber } from './select-number.ts';

/** A coded response; the extension block is there unless it was written strictly. */
export type CodedEnvelope<TData = JsonObject | null> = CodedResponse<TData> & { readonly [extensionKey]?: JsonObject };

/** Data that is no object lies under `result`; a failure may have none. */
type CodedData<TData> = unknown extends TData
  ? JsonObject | null
  : TData extends readonly unknown[] | string | number | boolean
    ? { readonly result: TData } | null
    : TData | null;

/** The coded dialect; its envelopes have the type of the outcome. */
export interface CodedDialect extends Dialect<'coded', CodedEnvelope>, Pick<ServedDialect, 'refusal'> {
  encode<TData>(outcome: Outcome<TData>, options?: EncodeOptions): CodedEnvelope<CodedData<TData>>;
  encode(outcome: Outcome, options?: EncodeOptions): CodedEnvelope;
}

/** The summary of a batch in which no call succeeded. */
const allFailed = 'All items failed';

const losses = lossTable({
  ...commonLosses.facts,
  ...commonLosses.callId,
  'error.kind': 'several kinds share a number',
  'error.recovery': 'what its number says; verify where the reader knows that the tool writes',
  'error.retryable': 'what its number says; false where the reader knows that the tool writes',
  'error.code': 'only a code that selects a number is read back',
  'error.message': `that of a batch whose calls have all failed reads as "${allFailed}"`,
  'error.details': 'not carried; an unlisted number reads as details.code',
  data: 'a result that is not an object reads as { result }, the items of a batch as { results } with what failed in its place; a partial result gains failed_count beside its results; a fallback reads as data',
  message: 'a success always says "success"',
  'meta.tool': 'an empty one reads as absent',
  'meta.traceId': 'an empty one reads as absent',
  'meta.temporarySession': 'not carried',
});

/** `{ code, message, data, meta }` with the documented numbers: 0, 4xxx, 5xxx. */
export const coded: CodedDialect = Object.freeze({
  name: 'coded',
  encode: (outcome: Outcome, options?: EncodeOptions) => encode(outcome, options) as CodedEnvelope<never>,
  decode: createDecode({
    name: 'coded',
    native: (envelope) => readEnvelope(envelope, []) as unknown as Native,
    part: ({ data }, held, block) => partOf(data, held, block),
    agrees: ({ code, data }, outcome) => {
      const ended = outcome.status === 'error' ? code !== 0 : code === toNumber(outcome);
      return ended && isWaiting(data) === isWaiting(toData(outcome).data);
    },
    // The summary of a batch says this whatever its failure said.
    message: ({ message }) => (message === allFailed ? undefined : message),
    names: ({ code }, error) => code === errorCodes[selectNumber(error)].number,
    foreign: toOutcome,
  }),
  detect: looksLike((json) => Number.isInteger(json.code) && typeof json.message === 'string' && 'data' in json && isRecord(json.meta)),
  jsonSchema: codedSchema,
  losses,
  // There is a number for requests that cannot be read, and, on a server of that system, no status for their bodies.
  refusal: ({ kind, status, isMalformed, isSpoken }: RefusedRequest): RefusalFacts => ({
    ...(isMalformed && { code: 'invalid_request_format' }),
    ...(isSpoken && (kind === 'too_large' || status === 415) && { status: 400 }),
  }),
});

function encode(outcome: Outcome, options: EncodeOptions | undefined): CodedEnvelope {
  checkEncode('coded', outcome, options);
  const { data, held, hints } = toData(outcome);
  const { meta } = outcome;
  const envelope = {
    code: toNumber(outcome),
    message: toMessage(outcome),
    data,
    meta: {
      tool: meta.tool ?? '',
      execution_time_ms: meta.tookMs,
      resource_type: meta.resourceType ?? null,
      session_id: meta.sessionId ?? null,
      trace_id: meta.traceId ?? '',
      ...(options?.strict !== true && meta.temporarySession !== undefined && { temporary_session: meta.temporarySession }),
    },
  };
  return options?.strict === true ? envelope : { ...envelope, [extensionKey]: extension(outcome, held, hints) };
}

function toNumber(outcome: Outcome): number {
  if (outcome.status === 'error') return errorCodes[selectNumber(outcome.error)].number;
  return errorCodes[outcome.status === 'partial' ? 'PARTIAL_FAILURE' : 'SUCCESS'].number;
}

function toMessage(outcome: Outcome): string {
  if (outcome.status === 'error') return isSummary(outcome) ? allFailed : outcome.error.message;
  return outcome.status === 'partial' ? (outcome.message ?? `${outcome.failures.length} out of ${outcome.total} items failed`) : 'success';
}

/** Checks whether a failure sums up a batch: no tool has it, and its items have. */
function isSummary({ error, failures, meta }: ErrorOutcome): boolean {
  return error.kind === 'all_failed' && failures !== undefined && meta.tool === undefined;
}

interface Placed {
  readonly data: JsonObject | null;
  readonly held?: readonly Held[];
  readonly hints?: JsonObject;
}

function toData(outcome: Outcome): Placed {
  switch (outcome.status) {
    case 'pending':
      return { data: { pending: outcome.pending as unknown as JsonValue } };
    case 'ok':
      // Without a tool it is the summary of a batch.
      if (outcome.meta.tool === undefined && Array.isArray(outcome.data)) return { data: { results: outcome.data as JsonValue[] } };
      return wrap(outcome.data, 'data');
    case 'error':
      if (outcome.error.kind === 'all_failed' && outcome.failures !== undefined && (outcome.data ?? outcome.fallback ?? null) === null)
        return { data: { results: outcome.failures.map(toItem) } };
      return outcome.data === undefined || outcome.data === null ? wrap(outcome.fallback, 'fallback') : wrap(outcome.data, 'data');
    case 'partial': {
      const failed_count = outcome.failures.length;
      if (Array.isArray(outcome.data)) return { data: { results: toResults(outcome.data as JsonValue[], outcome.failures), failed_count } };
      const placed = wrap(outcome.data, 'data');
      const { data } = placed;
      // The documented data of tools has no count; what lists its `results` has one, unless the tool itself has counted.
      if (data === null || !Array.isArray(data.results) || Object.hasOwn(data, 'failed_count')) return placed;
      return { data: { ...data, failed_count }, held: ['data'], hints: { counted: true } };
    }
  }
}

/** Returns the results of a batch, with what went wrong in the place of items that have none. */
function toResults(data: readonly JsonValue[], failures: readonly ItemFailure[]): JsonValue[] {
  const failed = new Map(failures.map((failure) => [failure.index, failure]));
  return data.map((item, index) => {
    const failure = item === null ? failed.get(index) : undefined;
    return failure === undefined ? item : toItem(failure);
  });
}

function toItem({ error }: ItemFailure): JsonObject {
  return { code: errorCodes[selectNumber(error)].number, message: error.message };
}

/** Data is an object or null on this wire; anything else is put into one. */
function wrap(value: unknown, held: Held): Placed {
  const json = value as JsonValue | undefined;
  if (json === undefined) return { data: null };
  if (json === null || isRecord(json)) return { data: json, held: [held] };
  return { data: { result: json }, held: [held], hints: { wrapped: true } };
}

function partOf(data: JsonObject | null, held: Held, block: JsonObject): JsonValue | undefined {
  if (held === 'input') return undefined;
  if (block.wrapped === true) return data?.result;
  if (block.counted !== true || data === null) return data;
  const { failed_count: _, ...own } = data;
  return own;
}

interface Native {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject | null;
  readonly meta: CodedMeta;
}

const readEnvelope = reader({
  code: need((value, at, key) => {
    const code = integer(value, at, key) as number;
    return code === 0 || (code >= 4000 && code <= 5999) ? code : broken([...at, key], `code ${code} is none of 0, 4xxx and 5xxx`);
  }),
  message: need(text),
  data: need(orNull(object)),
  meta: need(
    record({
      tool: need(text),
      execution_time_ms: need(amount),
      resource_type: need(orNull(text)),
      session_id: need(orNull(text)),
      trace_id: need(text),
      temporary_session: may(flag),
    }),
  ),
});

function toOutcome({ code, message, data, meta: given }: Native, options: DecodeOptions): Outcome {
  const meta = Object.freeze({
    ...(given.tool !== '' && { tool: given.tool }),
    ...(given.trace_id !== '' && { traceId: given.trace_id }),
    tookMs: readTookMs(given.execution_time_ms),
    attempts: 1,
    ...(given.session_id !== null && { sessionId: given.session_id }),
    ...(given.resource_type !== null && { resourceType: given.resource_type }),
    ...(given.temporary_session !== undefined && { temporarySession: given.temporary_session }),
  });
  if (code === 0)
    return asPending(data, meta, ['data']) ?? Object.freeze({ status: 'ok', data, ...(message !== 'success' && { message }), meta });
  const row = rows.get(code);
  if (row?.kind === 'partial') {
    const failed = readPartialData(data, options);
    if (failed !== undefined) return Object.freeze({ status: 'partial', data, message, ...failed, meta });
  }
  const kind =
    row === undefined ? (code < 5000 ? 'invalid_input' : 'upstream') : row.kind === 'partial' || row.kind === 'ok' ? 'upstream' : row.kind;
  const facts = row === undefined ? { message, details: { code } } : { message, code: row.code };
  // That system says of its 5xxx: try again, or ask the administrator. A reader who knows that the tool writes is more careful.
  const effects = isRefused(code, row) ? 'none' : (options.effects ?? 'idempotent');
  return foreignError(foreignFailure(kind, facts, { ...options, effects }), meta, { data: data ?? undefined });
}

/** By 4xxx that system says that it did not begin: the request has to be corrected. The same goes for what is not set up. */
function isRefused(code: number, row: Row | undefined): boolean {
  return code < 5000 || row?.kind === 'not_configured' || row?.kind === 'not_ready';
}

type Row = { readonly kind: (typeof errorCodes)[keyof typeof errorCodes]['kind']; readonly code?: string | undefined };

const rows: ReadonlyMap<number, Row> = new Map(Object.values(errorCodes).map((row) => [row.number, row]));
