import type { ApprovalAsk, ApprovalRules, CallContext, Effects, RetryRule } from '../contract/index.ts';
import type { EventDraft, EventOf, ToolpactEvent } from '../events/index.ts';
import type { FailOptions, FailureKind, JsonObject, JsonValue, Meta, Outcome, Pending } from '../outcome/index.ts';
import type { CallMemory } from './call-memory.ts';
import type { Promised } from './promised.ts';

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
  readonly outcome: Outcome | undefined;
  /** Notes that guards of one call share. */
  readonly notes: Map<string, unknown>;
  /** Checks whether some guard of this toolbox keeps a promise. */
  readonly provides: (promise: Promised) => boolean;
  /** Ends the call as a failure, without running the tool. */
  readonly refuse: (kind: FailureKind, message: string, options?: FailOptions) => Outcome;
  /** Ends the call as waiting for something. */
  readonly pending: (pending: Pending, message?: string) => Outcome;
  /** Creates the outcome of another call, such as a stored one, the answer to this one, with what is this call's own: ids, input, warnings. */
  readonly replay: (outcome: Outcome, extra?: Partial<Meta>) => Outcome;
  /** Gives this answer to the caller now, while the call goes on under its deadline, no longer bound to its caller's signal. */
  readonly detach: (outcome: Outcome) => void;
  /** Aborts the call's signal, so that its tool stops; the call ends when its tool does. */
  readonly abort: (reason: unknown) => void;
  /** Ends the call, although its tool may go on. Only the first end of a call counts. */
  readonly end: (outcome: Outcome) => void;
  /** The key that a guard handed to the tool. */
  readonly key: string | undefined;
  /** Lets the call run with other arguments, which are checked like those that were received; gives an outcome where they may not run. */
  readonly useInput: (args: unknown) => Promise<Outcome | undefined>;
  /** Hands a key to the tool as `ctx.idempotencyKey`, and declares that repeating the call with this key is safe. */
  readonly useKey: (key: string) => void;
  /** Says that from now on the outside world may change, although this call itself has not run. */
  readonly markMayHaveEffect: () => void;
  /**
   * Registers a check that `ctx.step` awaits before a step that counts begins. Where it throws, the step does not begin: so a call that has lost
   * its claim does nothing more.
   */
  readonly fence: (check: (step: string) => Promise<void> | void) => void;
  /** Gives the call a memory for its steps, which outlives its process. The last one counts: engines stand inside the journal. */
  readonly remember: (memory: CallMemory) => void;
  /**
   * Checks whether the failed call may run again at once, with the wait its failure asks for: the failure may pass, and what the call has done
   * so far is remembered or may be repeated. Undefined where it may not.
   */
  readonly mayRetry: (outcome: Outcome) => { readonly retryAfterMs: number | undefined } | undefined;
  /** Creates the runtime keep the result that comes after the deadline; `next` then gives it. */
  readonly keepLateResult: () => void;
  /** Creates the runtime keep the whole of a result that is too large. */
  readonly keepFullResult: () => void;
  /** The whole JSON of a result that was cut, if it was asked for. */
  readonly fullResult: unknown;
  /** Asks the tool what became of a call whose effect is not known: its outcome, `none` if it did not take effect, undefined if that is unknown. */
  readonly reconcile: () => Promise<Outcome | 'none' | undefined>;
  /** Works out what this call would do, with the arguments that it would get now; undefined where its tool has no preview. */
  readonly preview: () => Promise<Outcome | undefined>;
  /** Adds a listener that receives the outcome when the call ends, at its deadline too; returns the function that removes it. */
  readonly onEnd: (listener: (outcome: Outcome) => void) => () => void;
  /** Adds a warning to the outcome. */
  readonly warn: (text: string) => void;
  /** Hides secrets in a value and makes it JSON. */
  readonly redact: (value: unknown) => JsonValue;
  /** Hides secrets in a text of any length and drops the query of every URL; of a `whole` text it hides the secrets only. */
  readonly redactText: (text: string, whole?: boolean) => string;
  /** The call's own events as its watchers get them: the one that begins it, and the one that ends it with a given outcome. */
  readonly events: {
    readonly start: () => EventOf<'call-start'>;
    readonly end: (outcome: Outcome) => EventOf<'call-end'>;
  };
  /** Adds a listener that hears the events of this call from now on. */
  readonly hear: (listener: (event: ToolpactEvent) => void) => void;
  /** Creates the runtime keep what each guard does from now on; gives the list, which grows while the call goes on. */
  readonly keepDecisions: () => readonly {
    readonly guard: string;
    readonly phase: string;
    /** When the call came to it, in milliseconds since it began. */
    readonly atMs: number;
    /** How long it took before it let the call on, or answered it. */
    readonly tookMs: number;
    /** Whether it let the call on, answered it itself, replaced the answer of others, or failed; undefined while it waits. */
    readonly did?: 'passed' | 'answered' | 'replaced' | 'failed';
  }[];
  /** Waits until all calls of its batch have passed what may ask a person about them; gives an outcome where the failure of one stops this call. */
  readonly passGate: () => Promise<Outcome | undefined>;
  /** Reports progress to the caller of this call, and to its subscribers. */
  readonly progress: (message: string) => void;
  /** Sends an event to the subscribers of this call; does nothing without subscribers. */
  readonly emit: (event: EventDraft) => void;
}

/** A guard's decision about a call. */
export type GuardDecision = ReturnType<GuardedCall['keepDecisions']>[number];

/** The part of a tool that guards see. */
export interface GuardedTool {
  readonly name: string;
  readonly effects: Effects;
  /** Whether it changes the outside world inside `ctx.step` only. */
  readonly steps: boolean;
  /** Undefined for a tool that does not exist. */
  readonly description: string | undefined;
  readonly idempotency?: { readonly key?: (input: never) => JsonValue; readonly ttlMs?: number } | undefined;
  readonly retry?: RetryRule | false | undefined;
  readonly cache?: { readonly ttlMs: number } | undefined;
  readonly deferAfterMs?: number | undefined;
  readonly approval?: ApprovalAsk<never> | ApprovalRules<never> | undefined;
  readonly hasPreview: boolean;
  readonly canReconcile: boolean;
  readonly schemas: () => { readonly input: JsonObject; readonly output: JsonObject | undefined };
}
