import type { CallContext, Effects, RetryRule } from '../contract/index.ts';
import type { CallEndEvent, CallStartEvent, EventDraft } from '../events/index.ts';
import type { FailOptions, Failure, FailureKind, JsonObject, JsonValue, Meta, Outcome, Pending, Redactor } from '../outcome/index.ts';

/**
 * Where in a call a guard stands; the toolbox sorts guards into this order, outermost first. Those of the first two phases stand around
 * every call, also one whose tool or arguments are wrong; the others only around calls that are about to run.
 */
export const guardPhases = [
  'journal',
  'repeat',
  'policy',
  'approval',
  'defer',
  'budget',
  'limit',
  'key',
  'result',
  'retry',
  'run',
] as const;

/** One of the places a guard can stand. */
export type GuardPhase = (typeof guardPhases)[number];

/** A promise a tool can make that only a guard can keep. */
export type Promised = 'idempotency' | 'reconcile' | 'retry' | 'cache' | 'deferAfterMs' | 'approval';

/** Everything that is not needed by the simplest call: idempotency, approvals, limits, retries and the like. Made by `defineGuard`. */
export interface Guard<TMethods extends object = object> extends GuardDefinition<TMethods> {
  /** What runs guards. Guards bring it along, so that who uses none does not load it. */
  readonly '~engine': GuardEngine;
}

/** What the author of a guard writes. */
export interface GuardDefinition<TMethods extends object = object> {
  readonly name: string;
  readonly phase: GuardPhase;
  /** The tool promises this guard keeps. */
  readonly keeps?: readonly Promised[];
  /**
   * Stands around the rest of the call: returns what `next` gives, or an outcome of its own without calling it. A guard that throws
   * before `next` refuses the call; one that throws after it only adds a warning.
   */
  readonly around: (call: GuardedCall, next: () => Promise<Outcome>) => Outcome | Promise<Outcome>;
  /** Whether it also stands around results that come from elsewhere, such as those given to `settle` or found by `reconcile`. @default false */
  readonly concludes?: boolean;
  /** Makes what this guard adds to its toolbox, such as `decide`. Made anew for every context the toolbox is bound to. */
  readonly methods?: (toolbox: GuardedToolbox) => TMethods;
}

/** Runs guards. Calls and plans are the runtime's own, and opaque here. */
export interface GuardEngine {
  /** Sorts guards into the order of their phases; throws for what is no guard. */
  readonly arrange: (guards: readonly Guard[]) => ArrangedGuards;
  readonly run: (call: never, guards: readonly Guard[], run: () => Promise<Outcome>) => Promise<Outcome>;
  /** Makes what guards add to a toolbox. */
  readonly methods: (
    settings: never,
    plans: ReadonlyMap<string, never>,
    toolbox: Pick<GuardedToolbox, 'answer' | 'emit' | 'context'>,
  ) => object;
  /** Holds everybody back until as many have come as are expected, then lets a few through at a time, in order. */
  readonly turnstile: (expected: number, room: number) => (index: number) => Turn;
}

/** Guards in their order. */
export interface ArrangedGuards {
  /** Those that stand around every call, also one that will not run. */
  readonly early: readonly Guard[];
  readonly guards: readonly Guard[];
  readonly keeps: ReadonlySet<Promised>;
  /** Whether some guard keeps the events of calls. */
  readonly watched: boolean;
  /** Whether no call of a batch may run before all have passed their gates. */
  readonly gated: boolean;
}

/** One call's place in a batch. */
export interface Turn {
  readonly pass: () => Promise<void>;
  readonly leave: () => void;
}

/** A call as a guard sees it. */
export interface GuardedCall {
  readonly tool: GuardedTool;
  /** The checked input; in the first two phases the arguments as received. */
  readonly input: unknown;
  /** A copy of the arguments as received. */
  readonly received: unknown;
  readonly context: CallContext;
  /** The caller's tenant, or the nil UUID. */
  readonly tenantId: string;
  readonly invocationId: string;
  readonly traceId: string;
  readonly attempts: number;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
  /** The outcome, once the call has ended: its deadline may pass while a guard waits. */
  readonly ended: Outcome | undefined;
  /** What guards of one call tell each other. */
  readonly notes: Map<string, unknown>;
  /** Tells whether some guard of this toolbox keeps a promise. */
  readonly keeps: (promise: Promised) => boolean;
  /** Ends the call as a failure, without running the tool. */
  readonly refuse: (kind: FailureKind, message: string, options?: FailOptions) => Outcome;
  /** Ends the call as waiting for something. */
  readonly suspend: (pending: Pending, message?: string) => Outcome;
  /** Makes the outcome of another call, such as a stored one, the answer to this one, with what is this call's own: ids, input, warnings. */
  readonly adopt: (outcome: Outcome, extra?: Partial<Meta>) => Outcome;
  /** Gives this answer to the caller now, while the call goes on under its deadline, no longer bound to its caller's signal. */
  readonly detach: (outcome: Outcome) => void;
  /** Hands a key to the tool as `ctx.idempotencyKey`, and says that whoever repeats the call with it does no harm. */
  readonly useKey: (key: string) => void;
  /** Says that from now on the outside world may change, although this call itself has not run. */
  readonly mayTakeEffect: () => void;
  /**
   * Registers a check that `ctx.step` awaits before a step that counts begins. Where it throws, the step does not begin: so a call that has lost
   * its claim does nothing more.
   */
  readonly fence: (check: () => Promise<void> | void) => void;
  /**
   * Tells whether the failed call may run again at once, with the wait its failure asks for: the failure may pass, and what the call has done
   * so far is remembered or may be repeated. Undefined where it may not.
   */
  readonly mayRetry: (outcome: Outcome) => { readonly retryAfterMs: number | undefined } | undefined;
  /** Makes the runtime keep what is otherwise thrown away: the result that comes after the deadline (`next` then gives it), and the whole of one too large. */
  readonly keep: (what: 'late' | 'whole') => void;
  /** The whole JSON of a result that was cut, if it was asked for. */
  readonly whole: unknown;
  /** Asks the tool what became of a call whose effect is not known: its outcome, `none` if it did not take effect, undefined if nobody knows. */
  readonly reconcile: () => Promise<Outcome | 'none' | undefined>;
  /** Is told how the call ended, at its deadline too. */
  readonly onEnd: (listener: (outcome: Outcome) => void) => void;
  /** Adds a warning to the outcome. */
  readonly warn: (text: string) => void;
  /** Hides secrets in a value and makes it JSON. */
  readonly redact: (value: unknown) => JsonValue;
  /** Hides secrets in a text of any length. */
  readonly redactText: (text: string) => string;
  /** The call's own events as its watchers get them; the second is made for the outcome given. */
  readonly events: { readonly start: () => CallStartEvent; readonly end: (outcome: Outcome) => CallEndEvent };
  /** Tells whoever watches this call; does nothing when nobody does. */
  readonly emit: (event: EventDraft) => void;
}

/** What guards have asked for in one call. */
export interface GuardState {
  /** Makes repeated runs the same as one. */
  key: string | undefined;
  /** Whether a result that comes too late is still wanted, and the whole of one too large. */
  late: boolean;
  keepsWhole: boolean;
  whole: unknown;
  readonly listeners: ((outcome: Outcome) => void)[];
  readonly fences: (() => Promise<void> | void)[];
  readonly view: GuardedCall;
}

/** What a guard may know of a tool. */
export interface GuardedTool {
  readonly name: string;
  readonly effects: Effects;
  /** Undefined for a tool that does not exist. */
  readonly description: string | undefined;
  readonly idempotency?: { readonly key?: (input: never) => JsonValue; readonly ttlMs?: number } | undefined;
  readonly retry?: RetryRule | false | undefined;
  readonly cache?: { readonly ttlMs: number } | undefined;
  readonly deferAfterMs?: number | undefined;
  readonly approval?: boolean | ((input: never) => boolean | string) | undefined;
  readonly canReconcile: boolean;
  readonly schemas: () => { readonly input: JsonObject; readonly output: JsonObject | undefined };
}

/** A toolbox as the methods of its guards see it. */
export interface GuardedToolbox {
  /** What the toolbox is bound to. */
  readonly context: CallContext;
  readonly find: (name: string) => GuardedTool | undefined;
  /** Tells whether some guard of this toolbox keeps a promise. */
  readonly keeps: (promise: Promised) => boolean;
  /** Makes a call, through all guards. */
  readonly answer: (
    call: { readonly name: string; readonly args?: unknown; readonly callId?: string },
    context?: CallContext,
  ) => Promise<Outcome>;
  /** Turns what a tool might have returned (data, a reply, a failure) into its checked outcome, without running it and with only those guards that conclude. */
  readonly conclude: (tool: string, args: unknown, returned: unknown, context?: CallContext) => Promise<Outcome>;
  /** Asks a tool what became of a call, like {@link GuardedCall.reconcile}. */
  readonly reconcile: (tool: string, args: unknown, context?: CallContext) => Promise<Outcome | 'none' | undefined>;
  /** Hides secrets in a text. */
  readonly redact: (text: string) => string;
  readonly emit: (event: EventDraft) => void;
}

/** Says which call an event belongs to. */
export interface CallEvent {
  readonly tool: string;
  readonly invocationId: string;
  readonly traceId: string;
  readonly callId?: string | undefined;
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
