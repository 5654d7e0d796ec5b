// Loaded only when it is needed: with the library's dialects and `classify` it is larger than the rest of the client.
import type { Effects } from 'toolpact';
import { type Decoded, type Dialect, detectDialect, dialects, problem } from 'toolpact/dialects';
import type { AnswerForm } from './answer-form.ts';

export { classify } from 'toolpact';

/** The known facts about the form of an answer: its headers, the form that was requested, and the dialects that the client was given. */
export interface FormClues {
  readonly stated: string | null;
  readonly isProblem: boolean;
  readonly asked: AnswerForm;
  readonly given: readonly Dialect[];
}

/** Reads an answer in the dialect that its headers state or its shape shows; undefined where it is in none. */
export function decodeForeign(json: unknown, { stated, isProblem, asked, given }: FormClues, effects: Effects): Decoded | undefined {
  const dialect =
    (stated === null ? undefined : [...given, problem].find(({ name }) => name === stated)) ??
    (isProblem ? problem : undefined) ??
    detectDialect(json, [...new Set([...Object.values(dialects), ...given])]) ??
    (asked === 'outcome' ? undefined : asked);
  return dialect?.decode(json, { effects });
}
