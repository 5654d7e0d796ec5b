import { expectOutcome, type OptionRule, type Outcome, refuseOptions } from '../outcome/index.ts';
import type { EncodeOptions } from './dialect.ts';

/** The options of all dialects, so that one set of options can be given to several of them. */
const encodeOptions = {
  strict: 'a boolean',
  effects: ['none', 'idempotent', 'writes'],
  hideValue: 'a boolean',
  structured: ['object', 'any'],
  docs: true,
  form: ['chat', 'responses'],
  callId: true,
  name: true,
} satisfies Readonly<Record<string, OptionRule>>;

/** Throws for something that is not an outcome, and for options that no dialect has. */
export function checkEncode(dialect: string, outcome: Outcome, options: EncodeOptions | undefined): void {
  const what = `${dialect}.encode`;
  expectOutcome(what, outcome);
  refuseOptions(what, options, encodeOptions);
}
