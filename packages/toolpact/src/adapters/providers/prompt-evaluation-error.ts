import { classify } from '../../classify/index.ts';
import { type Failure, makeFailure, type Outcome } from '../../outcome/index.ts';
import { isFromStream } from './collect-stream.ts';
import { type Usage, usageOf } from './read-answer.ts';

/** The progress of a loop when its provider failed. */
export interface EvaluationSoFar<TMessage = unknown> {
  /** A history the provider accepts: every call in it is answered. */
  readonly messages: readonly TMessage[];
  readonly outcomes: readonly Outcome[];
  readonly rounds: number;
  readonly usage: Usage;
}

/**
 * The model provider could not be reached, or its answer could not be read. Nothing else raises: a tool that fails is a message to the
 * model. `failure` says what happened and whether trying again may help, `messages` is where to go on from, `cause` is the original.
 */
export class PromptEvaluationError<TMessage = unknown> extends Error implements EvaluationSoFar<TMessage> {
  readonly failure: Failure;
  readonly messages: readonly TMessage[];
  readonly outcomes: readonly Outcome[];
  readonly rounds: number;
  readonly usage: Usage;

  constructor(cause: unknown, soFar: Partial<EvaluationSoFar<TMessage>> = {}) {
    const failure = readCause(cause);
    super(failure.message, { cause });
    this.name = 'PromptEvaluationError';
    this.failure = failure;
    this.messages = soFar.messages ?? [];
    this.outcomes = soFar.outcomes ?? [];
    this.rounds = soFar.rounds ?? 0;
    this.usage = soFar.usage ?? usageOf(0, 0);
  }
}

/** Says what went wrong. A client that trips over an answer throws errors which do not say whose fault it was. */
function readCause(cause: unknown): Failure {
  const failure = classify(cause, { subject: 'The model provider' });
  const { kind, upstream, message } = failure;
  const isUnreadable = cause instanceof SyntaxError && (kind === 'internal' || kind === 'bad_response');
  const isTripped =
    isUnreadable ||
    (kind === 'internal' && cause instanceof TypeError) ||
    ((kind === 'invalid_input' || kind === 'failed' || kind === 'internal') && upstream === undefined && isFromStream(cause));
  if (!isTripped) return failure;
  const why = isUnreadable ? `: ${message}` : '.';
  return makeFailure('bad_response', { message: `The model provider's answer cannot be read${why}`, cause: failure.cause });
}
