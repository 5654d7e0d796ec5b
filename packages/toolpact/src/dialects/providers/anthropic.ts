import type { JsonObject, JsonValue, Outcome } from '../../outcome/index.ts';
import { checkEncode } from '../check-encode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from '../dialect.ts';
import { envelopeSchema, objectSchema, textSchema } from '../envelope-schema.ts';
import { extension, extensionKey } from '../extension.ts';
import { anything, flag, may, need, reader, text, that } from '../fields.ts';
import { losses } from '../losses.ts';
import { createDecode } from '../reading/create-decode.ts';
import { unknownMeta } from '../reading/foreign.ts';
import { looksLike } from '../reading/looks-like.ts';
import { isBase64, isTakenImage, type Media, shownTo, type TakenImage } from './provider-content.ts';
import { canBeTextOf, isMarkedAs, readMarkedText } from './read-marked-text.ts';
import { readTextParts } from './read-text-parts.ts';

/** A `tool_result` block. */
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | AnthropicBlock[];
  readonly is_error?: true;
  readonly [extensionKey]?: JsonObject;
}

/** A block inside a `tool_result`. */
export type AnthropicBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: Base64<TakenImage['mimeType']> }
  | { readonly type: 'document'; readonly source: Base64<Pdf['mimeType']> };

type Base64<TType> = {
  readonly type: 'base64';
  readonly media_type: TType;
  readonly data: string;
};

type Pdf = {
  readonly type: 'resource';
  readonly uri: string;
  readonly mimeType: 'application/pdf';
  readonly data: string;
};

/** How `anthropic` is written. */
export interface AnthropicOptions extends EncodeOptions {
  /** The id of the call that is answered. @default the outcome's own */
  readonly callId?: string | undefined;
}

/** Anthropic's tool result; `is_error` is its failure flag. */
export const anthropic: Dialect<'anthropic', AnthropicToolResult, AnthropicOptions> = Object.freeze<
  Dialect<'anthropic', AnthropicToolResult, AnthropicOptions>
>({
  name: 'anthropic',
  encode(outcome, options) {
    checkEncode('anthropic', outcome, options);
    const { text: words, media } = shownTo(outcome, isTaken);
    const result = {
      type: 'tool_result' as const,
      tool_use_id: options?.callId ?? outcome.meta.callId ?? '',
      content: media.length === 0 ? words : [...toTextBlocks(words), ...media.map(toBlock)],
      ...(outcome.status === 'error' && { is_error: true as const }),
    };
    return options?.strict === true ? result : { ...result, [extensionKey]: extension(outcome) };
  },
  decode: createDecode({
    name: 'anthropic',
    native: readNative,
    agrees: ({ text: words, failed }, outcome) => failed === (outcome.status === 'error') && canBeTextOf(words, outcome, failed),
    names: (native, error) => isMarkedAs(native.text, error),
    foreign: toOutcome,
  }),
  detect: looksLike(({ type, tool_use_id }) => type === 'tool_result' && typeof tool_use_id === 'string'),
  jsonSchema() {
    const content = { anyOf: [textSchema, { type: 'array', items: objectSchema({ type: textSchema }) }] };
    const fields = { type: { const: 'tool_result' }, tool_use_id: textSchema, 'content?': content, 'is_error?': { type: 'boolean' } };
    return envelopeSchema('Anthropic tool_result', objectSchema(fields));
  },
  losses: losses.anthropic,
});

function isTaken(block: Media): block is TakenImage | Pdf {
  return (
    isTakenImage(block) ||
    (block.type === 'resource' && block.mimeType === 'application/pdf' && block.data !== undefined && isBase64(block.data))
  );
}

/** Anthropic refuses a block without text. */
function toTextBlocks(words: string): AnthropicBlock[] {
  return words.trim() === '' ? [] : [{ type: 'text', text: words }];
}

function toBlock(block: TakenImage | Pdf): AnthropicBlock {
  const { data } = block;
  return block.type === 'image'
    ? { type: 'image', source: { type: 'base64', media_type: block.mimeType, data } }
    : { type: 'document', source: { type: 'base64', media_type: block.mimeType, data } };
}

interface Native {
  readonly id: string;
  readonly text: string;
  readonly failed: boolean;
}

const readEnvelope = reader({
  type: need(that('the string "tool_result"', (value) => value === 'tool_result')),
  tool_use_id: need(text),
  content: may(anything),
  is_error: may(flag),
});

function readNative(envelope: JsonObject): Native {
  const { tool_use_id, content = '', is_error } = readEnvelope(envelope, []);
  return { id: tool_use_id as string, text: readTextParts(content as JsonValue, ['content']), failed: is_error === true };
}

function toOutcome({ id, text: words, failed }: Native, options: DecodeOptions): Outcome {
  const meta = id === '' ? unknownMeta : Object.freeze({ ...unknownMeta, callId: id });
  return readMarkedText({ text: words, failed, meta }, options) ?? Object.freeze({ status: 'ok', data: words, meta });
}
