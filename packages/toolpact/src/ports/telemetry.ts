import type { CallContext, Effects } from '../contract/index.ts';
import type { Failure, Outcome, Redactor } from '../outcome/index.ts';

/** Facts about a failure that are not part of it. */
export interface ErrorTypeHints {
  /** Where the failure came from: our own stages, the author's `fail`, or some other error that was thrown. @default judged by the failure alone */
  readonly origin?: 'stage' | 'fail' | 'thrown' | undefined;
}

/** Returns the `error.type` of a failure; undefined if it is not a fault. */
export type ErrorType = (failure: Failure, hints: ErrorTypeHints) => string | undefined;

/** Records calls for operators. It cannot break a call, whatever it does. */
export interface Telemetry {
  /** Begins to record a call; undefined without a listener, which must cost nothing. */
  readonly start: (call: TracedCall) => CallSpan | undefined;
}

/** The record of one call. */
export interface CallSpan {
  /** Becomes the call's trace id, unless its caller brought one. */
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  /** Runs an attempt (counted from 1) so that what it starts belongs to this record. */
  readonly within: <TValue>(run: () => TValue, attempt: number) => TValue;
  /** Records a step of a call with a memory; gives the function that ends its record. */
  readonly step?: (step: TracedStep) => (end: { readonly replayed: boolean; readonly error?: Failure | undefined }) => void;
  readonly endAttempt?: (outcome: Outcome) => void;
  readonly end: (outcome: Outcome) => void;
}

/** A step as telemetry sees it. */
export interface TracedStep {
  readonly name: string;
  readonly occurrence: number;
  readonly effects: Effects;
}

/** A call as telemetry sees it: the call's own state, so that looking at it costs nothing. */
export interface TracedCall {
  readonly tool: string;
  /** Undefined when there is no tool of that name; then `tool` is whatever the model made up. */
  readonly description: string | undefined;
  readonly context: CallContext;
  readonly invocationId: string;
  /** The arguments as received, not redacted. */
  readonly received: unknown;
  readonly redactor: Redactor;
  /** The `error.type` of the toolbox's preset, if it sets one. */
  readonly errorType?: ErrorType | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** When the outcome was built, on the same clock. */
  readonly endedAt: number;
  /** The value that the handler of a failed call threw, or returned as a failure. It can be anything, and reading its properties can throw. */
  readonly thrown: unknown;
}
