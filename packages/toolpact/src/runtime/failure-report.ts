import type { Failure, JsonValue } from '../outcome/index.ts';

/** The operators' report of a failure. Text and input are redacted; `thrown` (not enumerable) is the original. */
export interface FailureReport {
  readonly debugId: string;
  readonly tool: string;
  readonly failure: Failure;
  readonly input: JsonValue;
  /** Undefined when nothing was thrown, as after refused arguments and a deadline: `failure.message` has words always. */
  readonly error: ReportedError | undefined;
  readonly thrown?: unknown;
}

/** An error as operators see it, with its stack and causes. */
export interface ReportedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ReportedError;
}

/** Receives one record per failure. */
export type Report = (record: FailureReport) => unknown;
