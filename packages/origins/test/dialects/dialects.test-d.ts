import {
  buildErrorResponse,
  buildSuccessResponse,
  type CodedEnvelope,
  coded,
  ErrorCode as codes,
  type ErrorCode,
} from '@toolpact/origins/coded';
import { type FlatEnvelope, flat } from '@toolpact/origins/flat';
import { status, type ToolError, type ToolOutput, type ToolResult } from '@toolpact/origins/status';
import { type ValueEnvelope, value } from '@toolpact/origins/value';
import type { JsonObject, JsonValue, Outcome } from 'toolpact';
import { mcp, openai, translate } from 'toolpact/dialects';
import type { Dialect } from 'toolpact/extend';

/** Compiles only if the second type is the first, neither more nor less. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T | undefined => undefined;

declare const outcome: Outcome;

isTrue<Same<ReturnType<typeof coded.encode>, CodedEnvelope>>();
isTrue<Same<typeof codes.PARTIAL_FAILURE, 5009>>();
isTrue<Same<Extract<ErrorCode, 0 | 4001 | 5010>, 0 | 4001 | 5010>>();

// Every dialect is a Dialect, whatever options its own encode takes.
export const all: readonly Dialect[] = [coded, mcp, openai, status, value];

// Several dialects in one list need no annotation.
for (const one of [coded, flat, status, value]) one.encode(outcome, { strict: true });
export const picked = (hasFlag: boolean) => (hasFlag ? flat : value).encode(outcome, { strict: true });
value.encode(outcome, { hideValue: true }).value satisfies JsonValue;

const answer = status.encode(outcome);
if (answer.status === 'ok') answer.data;
else answer.error.retry_after_ms satisfies number | null;

// Envelopes have the type of the outcome's data, and their own types take input and output.
declare const found: Outcome<{ answer: string }, 'busy'>;
const typed = status.encode(found);
if (typed.status === 'ok') isTrue<Same<typeof typed.data, { answer: string }>>();
const echoed = status.encode<{ answer: string }, { query: string }>(found);
isTrue<Same<typeof echoed, ToolOutput<{ query: string }, { answer: string }>>>();
isTrue<Same<typeof echoed.input, { query: string }>>();
isTrue<Same<ToolResult<{ query: string }, { answer: string }>['data'], { answer: string }>>();
isTrue<Same<ToolError<{ query: string }>['input'], { query: string }>>();
isTrue<Same<ReturnType<typeof value.encode<{ answer: string }>>, ValueEnvelope<{ answer: string }>>>();
value.encode(found).value satisfies { answer: string } | null;
coded.encode(found).data satisfies { answer: string } | null;
flat.encode(found).answer satisfies string | undefined;
flat.encode(found) satisfies FlatEnvelope<{ answer: string }>;
// @ts-expect-error the answer is a text
flat.encode(found).answer satisfies number | undefined;
declare const none: Outcome<never>;
flat.encode(none).error satisfies string | null;
declare const listed: Outcome<readonly string[]>;
coded.encode(listed).data?.result satisfies readonly string[] | undefined;
flat.encode(listed).data satisfies readonly string[] | null | undefined;
declare const count: Outcome<number>;
coded.encode(count).data?.result satisfies number | undefined;
coded.encode(outcome).data satisfies JsonObject | null;

const decoded = mcp.decode({});
if (decoded.ok) decoded.outcome.status;
else decoded.failure.issues;

openai.encode(outcome, { form: 'responses', strict: true });
// @ts-expect-error there is no such form
openai.encode(outcome, { form: 'completions' });
// @ts-expect-error hiding the value is the business of another dialect
coded.encode(outcome, { hideValue: true });

isTrue<Same<ReturnType<typeof buildSuccessResponse<{ result: string }>>['data'], { result: string }>>();
buildSuccessResponse({ tool: 't', data: { result: 'x' } }).data.result satisfies string;
// @ts-expect-error 0 is no failure
buildErrorResponse({ tool: 't', code: codes.SUCCESS, message: 'x' });
// @ts-expect-error a response without a message
buildErrorResponse({ tool: 't', code: codes.TIMEOUT_ERROR });

translate({}, coded, mcp, { strict: true, effects: 'none' });
translate({}, coded, openai, { form: 'responses' });
// @ts-expect-error a name is no dialect
translate({}, 'morse', mcp);
