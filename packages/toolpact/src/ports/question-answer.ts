import { classify } from '../classify/index.ts';
import { isObject } from '../json/index.ts';
import { type Failure, isReply, type OkReply, ToolFailure } from '../outcome/index.ts';

/** The answer to a question that a tool asks in the middle of a call: a value, or a failure that the tool gets, as the record of a step. */
type QuestionAnswer =
  | { readonly value: unknown }
  | { readonly refusal: { readonly v: 1; readonly failed: true; readonly effect: 'none'; readonly error: Failure } };

/** Reads what answers a question: a value, a reply made by `ok`, or a failure made by `fail`. */
export function toQuestionAnswer(given: unknown): QuestionAnswer {
  if (ToolFailure.isInstance(given)) return { refusal: { v: 1, failed: true, effect: 'none', error: classify(given, { effect: 'none' }) } };
  return { value: isObject(given) && isReply(given) ? (given as OkReply<unknown>).data : given };
}
