import type { CallContext, Effects, Progress } from '../contract/index.ts';
import type { EventDraft } from '../events/index.ts';
import type { FailOptions, Failure, FailureKind, JsonValue, Outcome, Redactor } from '../outcome/index.ts';

/** Where in a call a guard stands. The toolbox sorts guards into this order, outermost first. */
export const guardPhases = ['policy', 'approval', 'budget', 'limit', 'key', 'result', 'retry', 'run'] as const;

/** One of the places a guard can stand. */
export type GuardPhase = (typeof guardPhases)[number];

/** A promise a tool can make that only a guard can keep. */
export type Promised = 'idempotency';

/** Everything that is not needed by the simplest call: idempotency, approvals, limits, retries and the like. */
export interface Guard {
  readonly name: string;
  readonly phase: GuardPhase;
  /** The tool promises this guard keeps. */
  readonly keeps?: readonly Promised[];
  /**
   * Stands around the rest of the call: returns what `next` gives, or an outcome of its own without calling it. A guard that throws
   * before `next` refuses the call; one that throws after it only adds a warning.
   */
  readonly around: (call: GuardedCall, next: () => Promise<Outcome>) => Outcome | Promise<Outcome>;
}

/** A call as a guard sees it. */
export interface GuardedCall {
  readonly tool: GuardedTool;
  readonly input: unknown;
  readonly context: CallContext;
  readonly invocationId: string;
  readonly attempts: number;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
  /** Ends the call as a failure, without running the tool. */
  readonly refuse: (kind: FailureKind, message: string, options?: FailOptions) => Outcome;
  /** Adds a warning to the outcome. */
  readonly warn: (text: string) => void;
  /** Tells whoever watches this call; does nothing when nobody does. */
  readonly emit: (event: EventDraft) => void;
}

/** What a guard may know of a tool. */
export interface GuardedTool {
  readonly name: string;
  readonly effects: Effects;
  readonly idempotency?: { readonly key?: (input: never) => JsonValue; readonly ttlMs?: number } | undefined;
}

/** Watchers of calls. They see plain data and cannot break a call, whatever they do. */
export interface CallHooks {
  readonly onStart?: (event: CallStart) => unknown;
  readonly onProgress?: (event: CallEvent & { readonly progress: Progress }) => unknown;
  readonly onLog?: (event: CallEvent & { readonly message: string; readonly details?: JsonValue }) => unknown;
  readonly onEnd?: (event: CallEvent & { readonly outcome: Outcome }) => unknown;
  /** A tool answered after its call had ended, by deadline or by the caller. */
  readonly onLateResult?: (event: CallEvent & { readonly ok: boolean }) => unknown;
}

/** Says which call an event belongs to. */
export interface CallEvent {
  readonly tool: string;
  readonly invocationId: string;
  readonly traceId: string;
  readonly callId?: string | undefined;
}

/** A call begins. The arguments are redacted. */
export interface CallStart extends CallEvent {
  readonly input: JsonValue;
}

/** Records calls for operators. It cannot break a call, whatever it does. */
export interface Telemetry {
  /** Begins to record a call; undefined when nobody listens, which must cost nothing. */
  readonly start: (call: TracedCall) => CallSpan | undefined;
}

/** The record of one call. */
export interface CallSpan {
  /** Becomes the call's trace id, unless its caller brought one. */
  readonly traceId?: string | undefined;
  /** Runs an attempt (counted from 1) so that what it starts belongs to this record. */
  readonly within: <TValue>(run: () => TValue, attempt: number) => TValue;
  readonly endAttempt?: (outcome: Outcome) => void;
  readonly end: (outcome: Outcome) => void;
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
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** When the outcome was built, on the same clock. */
  readonly endedAt: number;
  /** What the handler of a failed call threw, or returned in place of throwing it. It may be anything, and break whoever looks at it. */
  readonly thrown: unknown;
}

/** What operators get about a failure. Text and input are redacted; `thrown` (not enumerable) is the original. */
export interface FailureReport {
  readonly debugId: string;
  readonly tool: string;
  readonly failure: Failure;
  readonly input: JsonValue;
  /** Undefined when nothing was thrown. */
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
