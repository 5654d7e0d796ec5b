import type { FailureKind, JsonObject, JsonValue, Outcome, Pending } from '../outcome/index.ts';
import { isPending } from './as-pending.ts';
import { createDecode } from './create-decode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from './dialect.ts';
import { envelopeSchema, objectSchema, pendingAnswer, textSchema, toolSchemas, withDefinitions } from './envelope-schema.ts';
import { extension, extensionKey, type Held } from './extension.ts';
import { flag, mayBeNull, need, reader, text } from './fields.ts';
import { foreignError, foreignFailure, unknownMeta } from './foreign.ts';
import { looksLike } from './looks-like.ts';
import { losses } from './losses.ts';
import { readPending } from './read-outcome.ts';
import { isObject } from './take-json.ts';
import { broken } from './undecodable.ts';

/** `success`, `error`, and the tool's own fields next to them. */
export interface FlatEnvelope {
  readonly success: boolean;
  readonly error: string | null;
  /** One of the six codes; only a failure has it, and only where the envelope is not strict. */
  readonly error_code?: FlatCode;
  readonly [extensionKey]?: JsonObject;
  readonly [field: string]: unknown;
}

/** One of the six documented codes. */
export type FlatCode = 'external_service_error' | 'rate_limited' | 'timeout' | 'not_found' | 'invalid_input' | 'internal_error';

/** The code of each kind. */
export const flatCodeOfKind = {
  invalid_input: 'invalid_input',
  unknown_tool: 'invalid_input',
  not_found: 'not_found',
  unauthenticated: 'external_service_error',
  forbidden: 'external_service_error',
  denied: 'invalid_input',
  conflict: 'invalid_input',
  not_ready: 'internal_error',
  not_configured: 'internal_error',
  rate_limited: 'rate_limited',
  budget_exhausted: 'external_service_error',
  timeout: 'timeout',
  cancelled: 'internal_error',
  interrupted: 'internal_error',
  unreachable: 'external_service_error',
  upstream: 'external_service_error',
  bad_response: 'external_service_error',
  too_large: 'invalid_input',
  unsupported: 'invalid_input',
  invalid_output: 'internal_error',
  all_failed: 'external_service_error',
  internal: 'internal_error',
} as const satisfies Record<FailureKind, FlatCode>;

/** What a code reads as: the six documented ones, and two that were shipped besides. */
const kindOfCode: ReadonlyMap<string, readonly [kind: FailureKind, code?: string]> = new Map([
  ['external_service_error', ['upstream']],
  ['rate_limited', ['rate_limited']],
  ['timeout', ['timeout']],
  ['not_found', ['not_found']],
  ['invalid_input', ['invalid_input']],
  ['internal_error', ['internal']],
  ['missing_required_field', ['invalid_input', 'missing_required_field']],
  ['configuration_error', ['not_configured']],
]);

/** Fields that are the envelope's own. A payload key of such a name is left out at top level; the extension keeps it. */
const ownFields: ReadonlySet<string> = new Set(['success', 'error', 'error_code', extensionKey, '__proto__']);

/** `{ success, error, … }`: the arguments as received, then the tool's data or its declared empty default, all at top level. */
export const flat: Dialect<'flat', FlatEnvelope> = Object.freeze<Dialect<'flat', FlatEnvelope>>({
  name: 'flat',
  encode,
  decode: createDecode({
    name: 'flat',
    native: readNative,
    part: ({ fields }, held, block) => pick(fields, block, held),
    agrees: ({ success }, status) => success === (status === 'ok' || status === 'pending'),
    foreign: toOutcome,
  }),
  detect: looksLike(({ success, error }) => typeof success === 'boolean' && (error === null || typeof error === 'string')),
  jsonSchema(tool) {
    const { output, $defs } = toolSchemas(tool);
    const { properties = {}, required = [] }: JsonObject = output.type === 'object' ? output : { properties: { data: output } };
    const failed = objectSchema({ success: { const: false }, error: textSchema, 'error_code?': { enum: [...kindOfCode.keys()] } });
    const succeeded = objectSchema({ success: { const: true }, error: { type: 'null' } });
    const own = { ...(properties as JsonObject), ...(succeeded.properties as JsonObject) };
    const needed = ['success', 'error', ...(required as readonly string[]).filter((name) => !ownFields.has(name))];
    const done = tool === undefined ? succeeded : { ...succeeded, properties: own, required: needed };
    const waiting = { allOf: [succeeded, pendingAnswer] };
    const schema = { anyOf: [done, ...(tool === undefined ? [] : [waiting]), failed] };
    return withDefinitions(envelopeSchema('FlatResult', schema), $defs);
  },
  losses: losses.flat,
});

function encode(outcome: Outcome, options?: EncodeOptions): FlatEnvelope {
  const strict = options?.strict === true;
  const failed = outcome.status === 'error' ? outcome.error : undefined;
  const envelope: Record<string, unknown> = {
    success: outcome.status === 'ok' || outcome.status === 'pending',
    error: failed?.message ?? (outcome.status === 'partial' ? `${outcome.failures.length} of ${outcome.total} items failed` : null),
  };
  if (failed !== undefined && !strict) envelope.error_code = flatCodeOfKind[failed.kind];
  const keys: Record<string, JsonValue> = {};
  if (isObject(outcome.input)) keys.input = spread(envelope, outcome.input);
  else if (outcome.input !== undefined && outcome.input !== null) envelope.input = outcome.input;
  const [name, payload] = payloadOf(outcome);
  if (isObject(payload)) {
    const written = spread(envelope, payload);
    if (name !== undefined) keys[name] = written;
    // A field of the result takes the place of an argument of the same name, which can then no longer be read from there.
    if (Array.isArray(keys.input) && keys.input.some((key) => written.includes(key as string))) delete keys.input;
  } else if (payload !== undefined) {
    envelope.data = payload;
    if (Array.isArray(keys.input) && keys.input.includes('data')) delete keys.input;
  }
  if (strict) return envelope as unknown as FlatEnvelope;
  const held = (Object.keys(keys) as Held[]).filter((key) => isWhole(outcome, key, keys));
  envelope[extensionKey] = extension(
    outcome,
    held,
    held.length > 0 ? { keys: Object.fromEntries(held.map((key) => [key, keys[key] ?? []])) } : undefined,
  );
  return envelope as unknown as FlatEnvelope;
}

function payloadOf(outcome: Outcome): [name: Held | undefined, payload: JsonValue | undefined] {
  if (outcome.status === 'pending') return [undefined, { pending: outcome.pending as unknown as JsonValue }];
  if (outcome.status !== 'error' || outcome.data !== undefined) return ['data', outcome.data as JsonValue | undefined];
  return ['fallback', outcome.fallback as JsonValue | undefined];
}

/** Writes the fields of a payload at top level and lists the ones that were written. */
function spread(envelope: Record<string, unknown>, payload: JsonObject): string[] {
  const written = Object.keys(payload).filter((key) => !ownFields.has(key));
  for (const key of written) envelope[key] = payload[key];
  return written;
}

/** Tells whether every field of a part was written, so that the part can be read back from the top level. */
function isWhole(outcome: Outcome, held: Held, keys: Readonly<Record<string, JsonValue>>): boolean {
  const part = (outcome as unknown as Record<string, JsonObject>)[held];
  return part !== undefined && Object.keys(part).length === (keys[held] as readonly string[]).length;
}

interface Native {
  readonly success: boolean;
  readonly error: string | undefined;
  readonly error_code: string | undefined;
  readonly fields: JsonObject;
}

const readEnvelope = reader({
  success: need(flag),
  error: need((value, at, key) => (value === null ? null : text(value, at, key))),
  error_code: mayBeNull(text),
});

function readNative(envelope: JsonObject): Native {
  const { success, error, error_code } = readEnvelope(envelope, []);
  if (success === true && error !== null) broken(['error'], 'success is true, yet error is set');
  if (success === false && error === null) broken(['error'], 'success is false, yet error says nothing');
  const { success: _, error: __, error_code: ___, [extensionKey]: ____, ...fields } = envelope;
  return { success: success === true, error: error as string, error_code: error_code as string | undefined, fields };
}

function pick(fields: JsonObject, block: JsonObject, held: Held): JsonValue | undefined {
  const keys = isObject(block.keys) ? block.keys[held] : undefined;
  if (!Array.isArray(keys)) return undefined;
  const part: Record<string, JsonValue> = {};
  for (const key of keys as readonly JsonValue[]) {
    const value = typeof key === 'string' && Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (value === undefined) return undefined;
    part[key as string] = value;
  }
  return part;
}

function toOutcome({ success, error = '', error_code, fields }: Native, options: DecodeOptions): Outcome {
  if (success) {
    const { pending, ...input } = fields;
    if (!isPending(pending)) return Object.freeze({ status: 'ok', data: fields, meta: unknownMeta });
    const waits = readPending(pending as JsonValue, ['pending']) as unknown as Pending;
    return Object.freeze({ status: 'pending', pending: waits, ...(Object.keys(input).length > 0 && { input }), meta: unknownMeta });
  }
  // Without a code the other side merely says that it failed; a code of its own is kept as it is.
  const [kind, code] = (error_code === undefined ? ['upstream' as const] : kindOfCode.get(error_code)) ?? ['internal' as const, error_code];
  const failure = foreignFailure(kind, { message: error, code }, options);
  return foreignError(failure, unknownMeta, { fallback: Object.keys(fields).length > 0 ? fields : undefined });
}
