import { type GeminiFunctionResponse, gemini, isTakenMedia, type TakenMedia } from '../../dialects/index.ts';
import { isObject, readExactly } from '../../json/index.ts';
import type { Content } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { notesOf } from '../frameworks/shown-blocks.ts';
import { envelopeFor } from '../frameworks/tell-model.ts';
import type { Collector } from '../providers/collect-stream.ts';
import type { AnsweredCall, ProviderForm, SettledCall } from '../providers/provider-form.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable, usageOf } from '../providers/read-answer.ts';

/** An answer of Gemini, as far as it is read. */
export interface GeminiAnswer {
  readonly candidates?: readonly { readonly content?: object; readonly finishReason?: string }[];
}

/** A part of the content that answers calls: the answers first, then what they show. */
export type GeminiPart =
  | Pick<GeminiFunctionResponse, 'functionResponse'>
  | { readonly text: string }
  | { readonly inlineData: { readonly data: string; readonly mimeType: string } };

/** Calls that Gemini itself could not read: it gives no call that could be answered. */
const unreadCalls: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'Your function call was malformed and did not run.',
  UNEXPECTED_TOOL_CALL: 'You called a function that could not be called here; nothing ran.',
};

/** The contents of Gemini. */
export const geminiForm: ProviderForm = {
  adapter: 'google-genai',
  needsId: false,
  lifts: false,
  read(response) {
    const { candidates, promptFeedback: feedback, usageMetadata: usage } = fieldsOf(response);
    const candidate = listOf(candidates)[0];
    if (candidate === undefined && typeof feedback !== 'object') unreadable('it has no candidates');
    const parts = partsOf(candidate);
    const { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: total } = fieldsOf(usage);
    const calls = parts.filter(isCall).map(({ functionCall }) => {
      const { id, name, args } = fieldsOf(functionCall);
      return { id: textOf(id) || undefined, name: textOf(name), args };
    });
    const problem = calls.length === 0 ? unreadCalls[textOf(candidate?.finishReason)] : undefined;
    return {
      calls,
      text: parts.map(({ text, thought }) => (thought === true ? '' : textOf(text))).join(''),
      usage: usageOf(input, output, total),
      isOpen: false,
      ...(problem !== undefined && {
        again: { tell: `[error: invalid_input] ${problem} ${textOf(candidate?.finishMessage)}`.trim().concat('\nSend the call again.') },
      }),
    };
  },
  toHistory(response, calls) {
    const candidate = listOf(fieldsOf(response).candidates)[0];
    const settled = calls[Symbol.iterator]();
    const parts = partsOf(candidate).flatMap((part) => (isCall(part) ? toPart(part, settled.next().value) : [part]));
    return parts.length === 0 ? [] : [{ role: 'model', ...fieldsOf(candidate?.content), parts }];
  },
  toAnswers(answered, { again }, dialect) {
    const parts = [...answered.map((call) => toResponse(call, dialect)), ...answered.flatMap((call) => toShown(call, dialect))];
    if (again?.tell !== undefined) return [{ role: 'user', parts: [{ text: again.tell }] }];
    return parts.length === 0 ? [] : [{ role: 'user', parts }];
  },
};

function partsOf(candidate: Fields | undefined): readonly Fields[] {
  return listOf(fieldsOf(candidate?.content).parts);
}

function isCall({ functionCall }: Fields): boolean {
  return isObject(functionCall);
}

function toPart(part: Fields, settled: SettledCall | undefined): Fields[] {
  if (settled === undefined) return [];
  const { id, name, args } = settled;
  const called = fieldsOf(part.functionCall);
  // Some servers give the arguments as text, and only an object is taken back.
  const given = args ?? (typeof called.args === 'string' ? readExactly(called.args) : undefined);
  return [{ ...part, functionCall: { ...called, ...(id !== undefined && { id }), name, ...(given !== undefined && { args: given }) } }];
}

function mediaOf({ outcome }: AnsweredCall): readonly TakenMedia[] {
  const blocks = 'content' in outcome ? (outcome.content ?? []) : [];
  // Leave out blocks that Gemini does not take: it refuses the whole request for one.
  return blocks.filter((block): block is TakenMedia => block.type !== 'text' && isTakenMedia(block));
}

function toResponse(call: AnsweredCall, dialect: ModelDialect | undefined): GeminiPart {
  const { id, name, outcome } = call;
  if (dialect !== undefined) {
    const response = envelopeFor(outcome, dialect) as GeminiFunctionResponse['functionResponse']['response'];
    return { functionResponse: { ...(id !== undefined && { id }), name, response } };
  }
  const media: readonly Content[] = mediaOf(call);
  const withoutMedia =
    media.length > 0 && 'content' in outcome
      ? { ...outcome, content: outcome.content?.filter((block) => !media.includes(block)) ?? [] }
      : outcome;
  const { functionResponse } = gemini.encode(withoutMedia, { strict: true, callId: id, name });
  const { id: _, ...nameless } = functionResponse;
  return { functionResponse: id === undefined ? nameless : functionResponse };
}

/** A function response holds no pictures, so they follow it. */
function toShown(call: AnsweredCall, dialect: ModelDialect | undefined): GeminiPart[] {
  const media = mediaOf(call);
  // An envelope has no place for the names of files that Gemini does not take; the usual answer names them itself.
  const notes = dialect === undefined ? [] : notesOf(call.outcome);
  if (media.length + notes.length === 0) return [];
  const { id, name } = call;
  return [
    { text: [`Shown by ${name}${id === undefined ? '' : ` (${id})`}:`, ...notes].join('\n') },
    ...media.map(({ data, mimeType }) => ({ inlineData: { data, mimeType } })),
  ];
}

/** Puts the chunks of a streamed answer together. */
export function createGeminiCollector(): Collector {
  const parts: Fields[] = [];
  let answer: Fields = {};
  let candidate: Fields = {};
  return {
    add(chunk) {
      const [piece = {}] = listOf(chunk.candidates);
      answer = { ...answer, ...chunk };
      candidate = { ...candidate, ...piece, content: { ...fieldsOf(candidate.content), ...fieldsOf(piece.content) } };
      const added = partsOf(piece);
      if (added.some(isPiece)) unreadable('it holds the arguments of a call in pieces; leave `streamFunctionCallArguments` out');
      for (const part of added) addPart(parts, part);
      return added.map(({ text, thought }) => (thought === true ? '' : textOf(text))).join('');
    },
    end() {
      const isBlocked = typeof answer.promptFeedback === 'object' && candidate.finishReason === undefined;
      if (candidate.finishReason === undefined && !isBlocked) unreadable('the stream ended before the answer did');
      const candidates = isBlocked ? [] : [{ ...candidate, content: { role: 'model', ...fieldsOf(candidate.content), parts } }];
      return { ...answer, candidates };
    },
  };
}

/** Recognises a piece of a call. Treated as a call, it would run without its arguments. */
function isPiece({ functionCall }: Fields): boolean {
  const { willContinue, partialArgs } = fieldsOf(functionCall);
  return willContinue === true || partialArgs !== undefined;
}

/** Joins text to the text before it, and leaves empty text out. A signature belongs to its own part and keeps that apart. */
function addPart(parts: Fields[], part: Fields): void {
  const before = parts.at(-1);
  if (part.text === '' && Object.keys(part).length === 1) return;
  const isPlain = (one: Fields | undefined): one is Fields =>
    one !== undefined && typeof one.text === 'string' && Object.keys(one).every((key) => key === 'text' || key === 'thought');
  if (isPlain(before) && isPlain(part) && before.thought === part.thought) {
    parts[parts.length - 1] = { ...before, text: `${before.text}${part.text}` };
  } else parts.push(part);
}
