import { toProviderName } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import { type JsonObject, type JsonValue, type Outcome, toModelText } from '../../outcome/index.ts';
import { asPending } from '../as-pending.ts';
import { checkEncode } from '../check-encode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from '../dialect.ts';
import { envelopeSchema, objectSchema, textSchema, toolSchemas, withDefinitions } from '../envelope-schema.ts';
import { extension, extensionKey, type Held } from '../extension.ts';
import { mayBeNull, need, object, reader, record, text } from '../fields.ts';
import { losses } from '../losses.ts';
import { createDecode } from '../reading/create-decode.ts';
import { foreignError, foreignFailure, unknownMeta } from '../reading/foreign.ts';
import { looksLike } from '../reading/looks-like.ts';
import { broken, type Path, wrong } from '../reading/undecodable.ts';
import { shownTo, takesNone } from './provider-content.ts';
import { canBeTextOf, isMarkedAs, readMarkedText } from './read-marked-text.ts';

/** A `functionResponse` part. */
export interface GeminiFunctionResponse {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    /** Results lie under `output`, failures under `error`; a response is always an object. */
    readonly response: { readonly output: JsonValue } | { readonly error: string };
  };
  readonly [extensionKey]?: JsonObject;
}

/** How `gemini` is written. */
export interface GeminiOptions extends EncodeOptions {
  /** The id of the call that is answered. @default the outcome's own */
  readonly callId?: string | undefined;
  /** The function's name as it was offered. @default the tool's name, made fit for providers */
  readonly name?: string | undefined;
}

/** Gemini's function response. */
export const gemini: Dialect<'gemini', GeminiFunctionResponse, GeminiOptions> = Object.freeze<
  Dialect<'gemini', GeminiFunctionResponse, GeminiOptions>
>({
  name: 'gemini',
  encode(outcome, options) {
    checkEncode('gemini', outcome, options);
    const id = options?.callId ?? outcome.meta.callId;
    const name = options?.name ?? toProviderName(outcome.meta.tool ?? '');
    const isData =
      outcome.status === 'ok' &&
      outcome.message === undefined &&
      outcome.content === undefined &&
      outcome.data !== undefined &&
      outcome.meta.truncated !== true;
    const response =
      outcome.status === 'error'
        ? { error: toModelText(outcome) }
        : { output: isData ? (outcome.data as JsonValue) : shownTo(outcome, takesNone).text };
    const part = { functionResponse: { ...(id !== undefined && { id }), name, response } };
    const held: readonly Held[] = isData ? ['data'] : [];
    return options?.strict === true ? part : { ...part, [extensionKey]: extension(outcome, held) };
  },
  decode: createDecode({
    name: 'gemini',
    native: readNative,
    part: ({ output }, held) => (held === 'data' ? output : undefined),
    agrees({ output, error }, outcome) {
      if (error !== undefined || outcome.status === 'error') return error !== undefined && outcome.status === 'error';
      return typeof output === 'string' ? canBeTextOf(output, outcome) : outcome.status === 'ok';
    },
    names: (native, error) => typeof native.error !== 'string' || isMarkedAs(native.error, error),
    foreign: toOutcome,
  }),
  detect: looksLike(({ functionResponse: part }) => isRecord(part) && typeof part.name === 'string' && isRecord(part.response)),
  jsonSchema(tool) {
    const { output, $defs } = toolSchemas(tool);
    const response = {
      oneOf: [
        objectSchema({ output: tool === undefined ? {} : { anyOf: [output, textSchema] } }),
        objectSchema({ error: { type: ['string', 'object'] } }),
      ],
    };
    const part = objectSchema({ 'id?': textSchema, name: textSchema, response });
    return withDefinitions(envelopeSchema('Gemini functionResponse', objectSchema({ functionResponse: part })), $defs);
  },
  losses: losses.gemini,
});

interface Native {
  readonly id: string | undefined;
  readonly name: string;
  readonly output: JsonValue | undefined;
  readonly error: JsonValue | undefined;
}

const readEnvelope = reader({ functionResponse: need(record({ id: mayBeNull(text), name: need(text), response: need(object) })) });

const responsePath: Path = ['functionResponse', 'response'];

function readNative(envelope: JsonObject): Native {
  const { id, name, response } = readEnvelope(envelope, []).functionResponse as unknown as {
    id?: string;
    name: string;
    response: JsonObject;
  };
  const { error, output } = response;
  if (error !== undefined && output !== undefined) broken(responsePath, 'both output and error are set');
  if (error !== undefined && typeof error !== 'string' && !isRecord(error)) {
    return wrong([...responsePath, 'error'], 'a string or an object', error);
  }
  // Gemini takes a response without either key as the output itself.
  return { id, name, output: output ?? (error === undefined && output === undefined ? response : output), error };
}

function toOutcome({ id, name, output = null, error }: Native, options: DecodeOptions): Outcome {
  const meta = Object.freeze({ ...(name !== '' && { tool: name }), ...unknownMeta, ...(id !== undefined && { callId: id }) });
  if (typeof error === 'string' || typeof output === 'string') {
    const marked = readMarkedText({ text: typeof error === 'string' ? error : String(output), failed: error !== undefined, meta }, options);
    if (marked !== undefined) return marked;
  }
  if (error !== undefined) {
    return foreignError(foreignFailure('upstream', { message: 'The call failed.', details: { error } }, options), meta);
  }
  return asPending(output, meta, [...responsePath, 'output']) ?? Object.freeze({ status: 'ok', data: output, meta });
}
