import { expectOutcome, type Outcome, refuseOptions } from '../outcome/index.ts';
import type { DecodeOptions, EncodeOptions } from './dialect.ts';
import type { McpOptions } from './mcp/mcp.ts';
import type { ProblemOptions } from './problem/problem.ts';
import type { GeminiOptions } from './providers/gemini.ts';
import type { OpenaiOptions } from './providers/openai.ts';
import type { ValueOptions } from './value.ts';

/** The options of all dialects, so that one set of options can be given to several of them. */
type AnyOptions = EncodeOptions & DecodeOptions & ValueOptions & McpOptions & ProblemOptions & OpenaiOptions & GeminiOptions;

/** Throws for what is no outcome and for options that no dialect has. */
export function checkEncode(dialect: string, outcome: Outcome, options: EncodeOptions | undefined): void {
  const what = `${dialect}.encode`;
  expectOutcome(what, outcome);
  refuseOptions<AnyOptions>(what, options, {
    strict: ['a boolean'],
    effects: ['none', 'idempotent', 'writes'],
    hideValue: ['a boolean'],
    structured: ['object', 'any'],
    docs: 1,
    form: ['chat', 'responses'],
    callId: 1,
    name: 1,
  });
}
