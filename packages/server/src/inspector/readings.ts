import { type JsonValue, type Outcome, toModelText } from 'toolpact';
import { anthropic, type Dialect, gemini, openai, problem } from 'toolpact/dialects';
import { cutJson, encodeMcpResult, listMcpTools, measureJson, toProviderName } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';
import type { Reading, Readings } from './page-answers.ts';

interface Form {
  readonly label: string;
  readonly language: Reading['language'];
  readonly write: (outcome: Outcome, toolbox: ServedToolbox) => unknown;
}

const json = 'json';
const callIdOf = ({ meta }: Outcome): string => meta.callId ?? meta.invocationId ?? '';

/** The forms that models read, written by the encoders that the adapters use. */
const forms: Readonly<Record<string, Form>> = {
  plain: { label: 'Plain text', language: 'text', write: toModelText },
  openai: {
    label: 'OpenAI chat',
    language: json,
    write: (outcome) => openai.encode(outcome, { strict: true, callId: callIdOf(outcome) }),
  },
  'openai-responses': {
    label: 'OpenAI Responses',
    language: json,
    write: (outcome) => openai.encode(outcome, { strict: true, form: 'responses', callId: callIdOf(outcome) }),
  },
  anthropic: {
    label: 'Anthropic',
    language: json,
    write: (outcome) => anthropic.encode(outcome, { strict: true, callId: callIdOf(outcome) }),
  },
  gemini: {
    label: 'Gemini',
    language: json,
    write: (outcome) => gemini.encode(outcome, { strict: true, callId: callIdOf(outcome), name: toProviderName(outcome.meta.tool ?? '') }),
  },
  mcp: {
    label: 'MCP',
    language: json,
    write: (outcome, toolbox) => encodeMcpResult(outcome, listMcpTools(toolbox), 'handshake', true),
  },
};

/** A view shows so many characters of data in each form. */
const maxChars = 200_000;

/** Writes what each reader gets of an outcome: models, and the readers of these dialects. Large data is cut, unless one form alone is asked for. */
export function readingsOf(outcome: Outcome, toolbox: ServedToolbox, dialects: readonly Dialect[], only?: string): Readings {
  const isCut = only === undefined && measureJson(outcome, maxChars) > maxChars;
  const shown = isCut ? withCutData(outcome) : outcome;
  const isWanted = (name: string): boolean => only === undefined || only === name;
  return {
    readings: Object.entries(forms).flatMap(([form, { label, language, write }]) =>
      isWanted(form) ? [{ form, label, language, text: toText(write(shown, toolbox)) }] : [],
    ),
    dialects: [...dialects, problem].flatMap((dialect) =>
      isWanted(dialect.name) ? [{ name: dialect.name, text: toText(dialect.encode(shown, { strict: true })) }] : [],
    ),
    ...(isCut && { isCut }),
  };
}

function withCutData(outcome: Outcome): Outcome {
  const cut = (value: unknown): JsonValue => cutJson(value as JsonValue, maxChars, []) as JsonValue;
  return cut(outcome) as unknown as Outcome;
}

function toText(written: unknown): string {
  return typeof written === 'string' ? written : JSON.stringify(written, null, 2);
}
