import type { JsonObject, JsonValue, Outcome } from '../../outcome/index.ts';
import { checkEncode } from '../check-encode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from '../dialect.ts';
import { envelopeSchema, objectSchema, textSchema } from '../envelope-schema.ts';
import { extension, extensionKey } from '../extension.ts';
import { anything, need, reader, text } from '../fields.ts';
import { losses } from '../losses.ts';
import { createDecode } from '../reading/create-decode.ts';
import { unknownMeta } from '../reading/foreign.ts';
import { looksLike } from '../reading/looks-like.ts';
import { broken, wrong } from '../reading/undecodable.ts';
import { isTakenImage, shownTo, takesNone } from './provider-content.ts';
import { canBeTextOf, isMarkedAs, readMarkedText } from './read-marked-text.ts';
import { readTextParts } from './read-text-parts.ts';

/** A tool message of the chat API. */
export interface OpenaiToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
  readonly [extensionKey]?: JsonObject;
}

/** A tool output of the Responses API. */
export interface OpenaiFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | OpenaiOutputPart[];
  readonly [extensionKey]?: JsonObject;
}

/** A part of a tool output of the Responses API. */
export type OpenaiOutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string };

/** How `openai` is written. */
export interface OpenaiOptions extends EncodeOptions {
  /** @default 'chat' */
  readonly form?: 'chat' | 'responses' | undefined;
  /** The id of the call that is answered. @default the outcome's own */
  readonly callId?: string | undefined;
}

/** OpenAI's tool message, in its chat and its Responses form. It has no failure flag, so the leading marker of the text shows a failure. */
export const openai: Dialect<'openai', OpenaiToolMessage | OpenaiFunctionCallOutput, OpenaiOptions> = Object.freeze<
  Dialect<'openai', OpenaiToolMessage | OpenaiFunctionCallOutput, OpenaiOptions>
>({
  name: 'openai',
  encode(outcome, options) {
    checkEncode('openai', outcome, options);
    const id = options?.callId ?? outcome.meta.callId ?? '';
    const answer = options?.form === 'responses' ? toResponses(outcome, id) : toChat(outcome, id);
    return options?.strict === true ? answer : { ...answer, [extensionKey]: extension(outcome) };
  },
  decode: createDecode({
    name: 'openai',
    native: readNative,
    agrees: (native, outcome) => canBeTextOf(native.text, outcome),
    names: (native, error) => isMarkedAs(native.text, error),
    foreign: toOutcome,
  }),
  detect: looksLike(({ role, type, tool_call_id, call_id, content, output }) => {
    if (role === 'tool') return typeof tool_call_id === 'string' && isText(content);
    return type === 'function_call_output' && typeof call_id === 'string' && isText(output);
  }),
  jsonSchema() {
    const parts = { type: 'array', items: objectSchema({ type: textSchema }) };
    return envelopeSchema('OpenAI tool answer', {
      oneOf: [
        objectSchema({ role: { const: 'tool' }, tool_call_id: textSchema, content: { anyOf: [textSchema, parts] } }),
        objectSchema({ type: { const: 'function_call_output' }, call_id: textSchema, output: { anyOf: [textSchema, parts] } }),
      ],
    });
  },
  losses: losses.openai,
});

function toChat(outcome: Outcome, id: string): OpenaiToolMessage {
  return { role: 'tool', tool_call_id: id, content: shownTo(outcome, takesNone).text };
}

function toResponses(outcome: Outcome, id: string): OpenaiFunctionCallOutput {
  const { text: words, media } = shownTo(outcome, isTakenImage);
  if (media.length === 0) return { type: 'function_call_output', call_id: id, output: words };
  const images = media.map(({ mimeType, data }) => ({ type: 'input_image' as const, image_url: `data:${mimeType};base64,${data}` }));
  return { type: 'function_call_output', call_id: id, output: [{ type: 'input_text', text: words }, ...images] };
}

interface Native {
  readonly id: string;
  readonly text: string;
}

const readChat = reader({ tool_call_id: need(text), content: need(anything) });
const readResponses = reader({ call_id: need(text), output: need(anything) });

function readNative(envelope: JsonObject): Native {
  if (envelope.role === 'tool') {
    const { tool_call_id, content } = readChat(envelope, []);
    return { id: tool_call_id as string, text: readTextParts(content as JsonValue, ['content']) };
  }
  if (envelope.type === 'function_call_output') {
    const { call_id, output } = readResponses(envelope, []);
    return { id: call_id as string, text: readTextParts(output as JsonValue, ['output']) };
  }
  if (envelope.role !== undefined) return wrong(['role'], 'the string "tool"', envelope.role);
  return broken([], 'neither role is "tool" nor type "function_call_output"');
}

function toOutcome({ id, text: words }: Native, options: DecodeOptions): Outcome {
  const meta = id === '' ? unknownMeta : Object.freeze({ ...unknownMeta, callId: id });
  return readMarkedText({ text: words, failed: false, meta }, options) ?? Object.freeze({ status: 'ok', data: words, meta });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
