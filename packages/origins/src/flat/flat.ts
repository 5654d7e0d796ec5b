import type { FailureKind, JsonObject, JsonValue, Outcome, Pending } from 'toolpact';
import type { DecodeOptions, Dialect, EncodeOptions } from 'toolpact/dialects';
import {
  broken,
  checkEncode,
  commonLosses,
  createDecode,
  envelopeSchema,
  extension,
  extensionKey,
  flag,
  foreignError,
  foreignFailure,
  type Held,
  isPending,
  isRecord,
  isWaiting,
  looksLike,
  lossTable,
  mayBeNull,
  need,
  objectSchema,
  orNull,
  pendingAnswer,
  reader,
  readPending,
  text,
  textSchema,
  toolSchemas,
  unknownMeta,
  withDefinitions,
} from 'toolpact/internal';
import type { ErrorCode } from './error-code.ts';

/** `success`, `error`, and the tool's own fields next to them; data that is no object lies under `data`. */
export type FlatEnvelope<TData = unknown> = FlatFields & FlatData<TData>;

/** A failure has the declared empty default in place of the fields, or none of them. */
type FlatData<TData> = unknown extends TData
  ? unknown
  : [TData] extends [never]
    ? unknown
    : TData extends readonly unknown[] | string | number | boolean | null
      ? { readonly data?: TData | null }
      : Partial<TData>;

type FlatFields = {
  readonly success: boolean;
  readonly error: string | null;
  /** One of the six codes; only a failure has it, and only where the envelope is not strict. */
  readonly error_code?: ErrorCode;
  readonly [extensionKey]?: JsonObject;
  readonly [field: string]: unknown;
};

/** The code of each kind. */
const flatCodeOfKind = {
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
  failed: 'internal_error',
  internal: 'internal_error',
} as const satisfies Record<FailureKind, ErrorCode>;

/** The meaning of each code: the six documented ones, and two more that were shipped. */
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
const ownFields: ReadonlySet<string> = new Set(['success', 'error', extensionKey, '__proto__']);
const ownFieldsOfFailure: ReadonlySet<string> = new Set([...ownFields, 'error_code']);

/** The flat dialect; its envelopes have the type of the outcome. */
export interface FlatDialect extends Dialect<'flat', FlatEnvelope> {
  encode<TData>(outcome: Outcome<TData>, options?: EncodeOptions): FlatEnvelope<TData>;
  encode(outcome: Outcome, options?: EncodeOptions): FlatEnvelope;
}

const losses = lossTable({
  ...commonLosses.circumstances,
  'error.kind': 'reads as upstream',
  'error.code': 'not carried',
  data: 'reads together with the echoed input; keys named success, error, _toolpact and __proto__ are left out, next to a failure error_code too; a result that is not an object reads as { data }; next to a failure it reads as fallback',
  fallback: 'reads together with the echoed input and the data',
  input: 'reads as part of the data or the fallback',
});

/** `{ success, error, … }`: the checked arguments, then the tool's data or its declared empty default, all at top level. */
export const flat: FlatDialect = Object.freeze<Dialect<'flat', FlatEnvelope>>({
  name: 'flat',
  encode,
  decode: createDecode({
    name: 'flat',
    native: readNative,
    part: ({ fields }, held, block) => pick(fields, block, held),
    agrees: ({ success, error_code, fields }, outcome) => {
      const { status } = outcome;
      if (success !== (status === 'ok' || status === 'pending') || (status === 'partial' && error_code !== undefined)) return false;
      return isWaiting(fields) === isWaiting(layOut(outcome, ownFields).fields);
    },
    message: ({ error }) => error,
    names: ({ error_code }, { kind }) => error_code === undefined || error_code === flatCodeOfKind[kind],
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
  losses,
});

function encode(outcome: Outcome, options?: EncodeOptions): FlatEnvelope {
  checkEncode('flat', outcome, options);
  const strict = options?.strict === true;
  const success = outcome.status === 'ok' || outcome.status === 'pending';
  const { fields, keys } = layOut(outcome, success ? ownFields : ownFieldsOfFailure);
  const envelope = {
    success,
    error: errorOf(outcome),
    ...(outcome.status === 'error' && !strict && { error_code: flatCodeOfKind[outcome.error.kind] }),
    ...fields,
  };
  if (strict) return envelope;
  const held = Object.keys(keys) as Held[];
  return { ...envelope, [extensionKey]: extension(outcome, held, held.length > 0 ? { keys } : undefined) };
}

function errorOf(outcome: Outcome): string | null {
  if (outcome.status === 'error') return outcome.error.message;
  return outcome.status === 'partial' ? (outcome.message ?? `${outcome.failures.length} of ${outcome.total} items failed`) : null;
}

/** Lays inputs, then the payload, out at top level, and lists the keys of those parts that can be read back from there. */
function layOut(outcome: Outcome, own: ReadonlySet<string>): { fields: Record<string, JsonValue>; keys: Record<string, string[]> } {
  const fields: Record<string, JsonValue> = {};
  const keys: Record<string, string[]> = {};
  const { input } = outcome;
  if (isRecord(input)) put('input', input);
  else if (input !== undefined && input !== null) fields.input = input;
  const [name, payload] = payloadOf(outcome);
  if (isRecord(payload)) put(name, payload);
  else if (payload !== undefined) fields.data = payload;
  // A field of the result takes the place of an argument of the same name, which can then no longer be read from there.
  if (isRecord(input) && keys.input?.some((key) => fields[key] !== input[key])) delete keys.input;
  return { fields, keys };

  function put(part: Held | 'pending', object: JsonObject): void {
    const names = Object.keys(object);
    const free = names.filter((key) => !own.has(key));
    for (const key of free) fields[key] = object[key] as JsonValue;
    if (part !== 'pending' && free.length === names.length) keys[part] = names;
  }
}

function payloadOf(outcome: Outcome): [name: Held | 'pending', payload: JsonValue | undefined] {
  if (outcome.status === 'pending') return ['pending', { pending: outcome.pending as unknown as JsonValue }];
  if (outcome.status !== 'error' || outcome.data !== undefined) return ['data', outcome.data as JsonValue | undefined];
  return ['fallback', outcome.fallback as JsonValue | undefined];
}

interface Native {
  readonly success: boolean;
  readonly error: string | undefined;
  readonly error_code: string | undefined;
  readonly fields: JsonObject;
}

const readEnvelope = reader({ success: need(flag), error: need(orNull(text)) });
const readCode = reader({ error_code: mayBeNull(text) });

function readNative(envelope: JsonObject): Native {
  const { success, error } = readEnvelope(envelope, []);
  if (success === true && error !== null) broken(['error'], 'success is true, yet error is set');
  if (success === false && error === null) broken(['error'], 'success is false, yet error says nothing');
  const { success: _, error: __, [extensionKey]: ___, ...fields } = envelope;
  if (success === true) return { success, error: undefined, error_code: undefined, fields };
  const { error_code } = readCode(envelope, []);
  const { error_code: ____, ...rest } = fields;
  return { success: false, error: error as string, error_code: error_code as string | undefined, fields: rest };
}

function pick(fields: JsonObject, block: JsonObject, held: Held): JsonValue | undefined {
  const keys = isRecord(block.keys) ? block.keys[held] : undefined;
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
