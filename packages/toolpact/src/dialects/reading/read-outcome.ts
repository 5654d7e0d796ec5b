import { isRecord } from '../../json/index.ts';
import {
  type Content,
  type Failure,
  type FailureKind,
  type Issue,
  type ItemFailure,
  isFailureKind,
  type JsonObject,
  type JsonValue,
  type Meta,
  type Outcome,
  type Pending,
  pendingReasons,
  recoveries,
  type Upstream,
} from '../../outcome/index.ts';
import {
  amount,
  anything,
  type Check,
  count,
  type Field,
  flag,
  integer,
  listOf,
  mapOf,
  may,
  need,
  object,
  oneOf,
  reader,
  record,
  text,
  that,
} from '../fields.ts';
import { missing, type Path, wrong } from './undecodable.ts';

type Fields<T> = Readonly<Record<keyof T, Field>>;

/**
 * Reads an outcome as this package writes it: every field checked, unknown ones left out, what it is made of frozen. A kind that only a
 * newer peer knows reads as `internal`, with the kind in `code`, and is never retryable.
 */
export function readOutcome(json: JsonObject, path: Path): Outcome {
  const { status } = json;
  if (status === undefined) return missing([...path, 'status'], 'a string');
  const read = typeof status === 'string' ? arms.get(status) : undefined;
  if (read === undefined) return wrong([...path, 'status'], `one of ${[...arms.keys()].join(', ')}`, status);
  return read(json, path) as unknown as Outcome;
}

/** Reads what a pending call waits for. */
export const readPending: (json: JsonValue, path: Path) => JsonObject = reader({
  handle: need(text),
  reason: need(oneOf(pendingReasons)),
  ask: may(record({ message: need(text), schema: may(object) } satisfies Fields<Required<NonNullable<Pending['ask']>>>)),
  expiresAt: may(text),
  pollAfterMs: may(amount),
  progress: may(record({ message: may(text), percent: may(amount) } satisfies Fields<Required<NonNullable<Pending['progress']>>>)),
} satisfies Fields<Pending>);

const issue: Check = record({
  path: need(listOf(that('a string or an integer', (step) => typeof step === 'string' || Number.isInteger(step)))),
  problem: need(oneOf(['missing', 'type', 'format', 'extra', 'rule'] satisfies Issue['problem'][])),
  format: may(text),
  expected: may(text),
  received: may(text),
  message: need(text),
  hint: may(text),
} satisfies Fields<Issue>);

const upstream: Check = record({ status: may(integer), endpoint: may(text), requestId: may(text) } satisfies Fields<Upstream>);

const readFailure = reader({
  kind: need(text),
  code: may(text),
  message: need(text),
  advice: may(text),
  recovery: need(oneOf(recoveries)),
  retryable: need(flag),
  retryAfterMs: may(amount),
  effect: need(oneOf(['none', 'applied', 'unknown'] satisfies Failure['effect'][])),
  issues: may(listOf(issue)),
  upstream: may(upstream),
  errorType: may(text),
  attempt: may(that('an integer of at least 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1)),
  cause: may(text),
  details: may(object),
  debugId: may(text),
} satisfies Fields<Failure>);

const failure: Check = (value, at, key) => {
  const read = readFailure(value, [...at, key]);
  if (isFailureKind(read.kind)) return read;
  // The advice of an unknown kind stays: its peer knew what to do.
  return Object.freeze({ ...read, kind: 'internal' satisfies FailureKind, code: read.kind as string, recovery: 'stop', retryable: false });
};

const itemFailure: Check = record({ index: need(count), id: may(text), error: need(failure) } satisfies Fields<ItemFailure>);

const contentByType: Readonly<Record<Content['type'], Check>> = {
  text: record({ type: need(text), text: need(text) }),
  image: record({ type: need(text), data: need(text), mimeType: need(text) }),
  audio: record({ type: need(text), data: need(text), mimeType: need(text) }),
  resource: record({ type: need(text), uri: need(text), mimeType: may(text), text: may(text), data: may(text) }),
};

const content: Check = (value, at, key) => {
  const type = isRecord(value) ? value.type : undefined;
  if (typeof type !== 'string' || !Object.hasOwn(contentByType, type)) return wrong([...at, key], 'a content block of a known type', value);
  return contentByType[type as Content['type']](value, at, key);
};

const counts: Check = mapOf(count);
const meta: Check = record({
  tool: may(text),
  invocationId: may(text),
  traceId: may(text),
  callId: may(text),
  tookMs: need(amount),
  attempts: need(count),
  sessionId: may(text),
  resourceType: may(text),
  temporarySession: may(flag),
  runId: may(text),
  ids: may(mapOf(text)),
  tenantId: may(text),
  replayed: may(flag),
  cacheHit: may(flag),
  tokenUsage: may(counts),
  sourceCounts: may(counts),
  routing: may(object),
  resultRef: may(text),
  truncated: may(flag),
  warnings: may(listOf(text)),
} satisfies Fields<Meta>);

const shown = { message: may(text), content: may(listOf(content)) };
const everyArm = { status: need(text), input: may(anything), meta: need(meta) };

const arms: ReadonlyMap<string, (json: JsonValue, path: Path) => JsonObject> = new Map(
  Object.entries({
    ok: reader({ ...everyArm, ...shown, data: need(anything) } satisfies Fields<Extract<Outcome, { status: 'ok' }>>),
    partial: reader({
      ...everyArm,
      ...shown,
      data: need(anything),
      failures: need(listOf(itemFailure)),
      total: need(count),
    } satisfies Fields<Extract<Outcome, { status: 'partial' }>>),
    error: reader({
      ...everyArm,
      error: need(failure),
      data: may(anything),
      fallback: may(anything),
      failures: may(listOf(itemFailure)),
    } satisfies Fields<Extract<Outcome, { status: 'error' }>>),
    pending: reader({
      ...everyArm,
      pending: need((value, at, key) => readPending(value, [...at, key])),
      message: may(text),
    } satisfies Fields<Extract<Outcome, { status: 'pending' }>>),
  } satisfies Record<Outcome['status'], unknown>),
);
