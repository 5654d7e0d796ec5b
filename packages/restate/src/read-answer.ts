import { findMisfit, isOutcome, toQuestionAnswer, toReply } from 'toolpact/internal';
import { questionIn } from './call-handle.ts';
import type { CallState, OpenQuestion } from './call-request.ts';
import type { Answer } from './restate-waits.ts';

/** Finds the question that a handle names: that of a question, or of a call that asks. */
export function findQuestion({ questions = [] }: CallState, handle: string): OpenQuestion | undefined {
  return questionIn(handle) === undefined ? questions[0] : questions.find((question) => question.handle === handle);
}

/** Makes what answers a question; or says what is wrong with it, as far as the question shows what it takes. */
export function readAnswer(
  { ask }: OpenQuestion,
  given: unknown,
): { readonly answer: Answer; readonly problem?: undefined } | { readonly answer?: undefined; readonly problem: string } {
  const answer = toQuestionAnswer(isOutcome(given) ? toReply(given) : given);
  if ('refusal' in answer) return { answer };
  const problem = ask.schema && findMisfit(ask.schema, answer.value);
  return problem === undefined ? { answer: { value: answer.value ?? null } } : { problem };
}
