// Loaded only when it is needed: with all dialects and `classify` it is larger than the rest of the client.

import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { Effects } from 'toolpact';
import { type Decoded, type Dialect, detectDialect, dialects, problem } from 'toolpact/dialects';
import type { AnswerForm } from './answer-form.ts';

export { classify } from 'toolpact';

const forms: Readonly<Record<Exclude<AnswerForm, 'outcome'>, Dialect>> = { flat, coded, value, status, problem };

/** The known facts about the form of an answer: its headers, and the form that was requested. */
export interface FormClues {
  readonly stated: string | null;
  readonly isProblem: boolean;
  readonly asked: AnswerForm;
}

/** Reads an answer in the dialect that its headers state or its shape shows; undefined where it is in none. */
export function decodeForeign(json: unknown, { stated, isProblem, asked }: FormClues, effects: Effects): Decoded | undefined {
  const detected = detectDialect(json);
  const dialect =
    (stated === null ? undefined : formOf(stated)) ??
    (isProblem ? problem : undefined) ??
    (detected === undefined ? formOf(asked) : dialects[detected]);
  return dialect?.decode(json, { effects });
}

/** Reads an envelope in the dialect that was asked for. */
export function decodeAs(json: unknown, form: Exclude<AnswerForm, 'outcome'>, effects: Effects): Decoded {
  return forms[form].decode(json, { effects });
}

function formOf(name: string): Dialect | undefined {
  return Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : undefined;
}
