import type { JsonObject, JsonValue, Outcome } from 'toolpact';
import type { DecodeOptions, Dialect, EncodeOptions } from 'toolpact/dialects';
import type { KnownData } from 'toolpact/internal';
import {
  anything,
  asPending,
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
  isWaiting,
  looksLike,
  lossTable,
  need,
  objectSchema,
  reader,
  text,
  textSchema,
  toolSchemas,
  unknownMeta,
  withDefinitions,
} from 'toolpact/internal';
import { toValueResult } from './to-value-result.ts';

/** `success`, `value` and `message`. */
export interface ValueEnvelope<TValue = JsonValue> {
  readonly success: boolean;
  /** The result, or null on failure unless the tool attached a payload to it. */
  readonly value: TValue | null;
  readonly message: string;
  readonly [extensionKey]?: JsonObject;
}

/** How `value` is written. */
export interface ValueOptions extends EncodeOptions {
  /** Keeps the value from the model: writes null and nothing from which it could be read back. @default false */
  readonly hideValue?: boolean | undefined;
}

/** The value dialect; its envelopes have the type of the outcome. */
export interface ValueDialect extends Dialect<'value', ValueEnvelope, ValueOptions> {
  encode<TValue>(outcome: Outcome<TValue>, options?: ValueOptions): ValueEnvelope<KnownData<TValue>>;
  // The options that all dialects take: with others, several dialects in one list could not be called.
  encode(outcome: Outcome, options?: EncodeOptions): ValueEnvelope;
}

const losses = lossTable({
  ...commonLosses.circumstances,
  'error.kind': 'reads as upstream',
  'error.code': 'not carried',
  data: 'null next to a failure reads as absent',
  message: 'an absent one reads as "OK"',
});

/** `{ success, value, message }`. The envelope has the type of the outcome's data. */
export const value: ValueDialect = Object.freeze<Dialect<'value', ValueEnvelope, ValueOptions>>({
  name: 'value',
  encode(outcome, options) {
    checkEncode('value', outcome, options);
    const result = toValueResult(outcome);
    // The value of a call that waits is not hidden: without it the call would read as done.
    const envelope = options?.hideValue === true && outcome.status !== 'pending' ? { ...result, value: null } : result;
    if (options?.strict === true || options?.hideValue === true) return envelope;
    const held: readonly Held[] = outcome.status !== 'pending' && outcome.data !== undefined ? ['data'] : [];
    return { ...envelope, [extensionKey]: extension(outcome, held) };
  },
  decode: createDecode({
    name: 'value',
    native: readNative,
    part: (native, held) => (held === 'data' ? native.value : undefined),
    agrees(native, outcome) {
      const result = toValueResult(outcome);
      return native.success === result.success && isWaiting(native.value) === isWaiting(result.value);
    },
    message: (native) => native.message,
    foreign: toOutcome,
  }),
  detect: looksLike(
    (json) => typeof json.success === 'boolean' && typeof json.message === 'string' && 'value' in json && !('error' in json),
  ),
  jsonSchema(tool) {
    const { answer, $defs } = toolSchemas(tool);
    const schema = {
      oneOf: [
        objectSchema({ success: { const: true }, value: answer, message: textSchema }),
        objectSchema({ success: { const: false }, value: {}, message: textSchema }),
      ],
    };
    return withDefinitions(envelopeSchema('ToolResult', schema), $defs);
  },
  losses,
});

const readEnvelope = reader({ success: need(flag), value: need(anything), message: need(text) });

function readNative(envelope: JsonObject): ValueEnvelope {
  const native = readEnvelope(envelope, []) as unknown as ValueEnvelope;
  if (native.success && (envelope.error ?? null) !== null) broken(['error'], 'success is true, yet error is set');
  return native;
}

function toOutcome({ success, value: given, message }: ValueEnvelope, options: DecodeOptions): Outcome {
  if (success) {
    return (
      asPending(given, unknownMeta, ['value'], { message }) ?? Object.freeze({ status: 'ok', data: given, message, meta: unknownMeta })
    );
  }
  return foreignError(foreignFailure('upstream', { message }, options), unknownMeta, { data: given ?? undefined });
}
