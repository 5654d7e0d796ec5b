import type { Effect, FailureKind, JsonValue, Outcome, Pending, Recovery } from '../outcome/index.ts';
import type { Approval, InputChange } from './approval.ts';
import type { GuardDecision } from './guarded-call.ts';

/** A call as a list shows it: what was called, by whom, how it ended, whether the outside world changed. */
export interface ListedCall {
  /** The invocation id. */
  readonly id: string;
  readonly tool: string;
  readonly status: 'running' | Outcome['status'];
  readonly kind?: FailureKind;
  readonly code?: string;
  readonly recovery?: Recovery;
  readonly retryable?: boolean;
  readonly effect?: Effect;
  /** Its arguments in a line, without secrets; cut. */
  readonly preview?: string;
  /** A description of what happened, or of what a pending call waits for; cut. */
  readonly message?: string;
  /** The handle of a pending call. */
  readonly handle?: string;
  /** The reason why a pending call waits. */
  readonly waitsFor?: Pending['reason'];
  readonly begunAt: string;
  readonly endedAt?: string;
  readonly tookMs?: number;
  readonly attempts: number;
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly conversationId?: string;
  readonly userId?: string;
  readonly agentName?: string;
  readonly adapter?: string;
  readonly callId?: string;
  readonly traceId: string;
  /** The idempotency key that its caller gave. */
  readonly key?: string;
  /** The call whose outcome this one was answered with. */
  readonly replayOf?: string;
  /** The call that this one repeats after a crash. */
  readonly repeats?: string;
  /** The first of the calls that this one runs again, and the step from which it does. */
  readonly rerunOf?: string;
  readonly rerunFrom?: string;
  readonly cacheHit?: boolean;
  /** Whether the process that ran it is gone: `resume` finds out what became of it. */
  readonly lost?: boolean;
  /** The last that it reported, while it runs. */
  readonly progress?: {
    /** Redacted, and cut where it is long. */
    readonly message?: string;
    /** From 0 to 100. */
    readonly percent?: number;
    readonly done?: number;
    readonly total?: number;
    /** When it was reported, as an ISO time. */
    readonly at: string;
  };
}

/** All that the journal knows of a call. */
export interface RecordedCall extends ListedCall {
  /** Redacted, and cut where it is large. */
  readonly input: JsonValue;
  /** Whether `input` is what was received: nothing was hidden or cut. */
  readonly isWhole: boolean;
  readonly outcome?: Outcome;
  /** The text of the outcome for a model, unless its adapter writes a dialect. */
  readonly modelText?: string;
  /** The reason why it waits, until it has ended. */
  readonly pending?: Pending;
  /** The request to allow it, where a person was asked. */
  readonly approval?: Approval;
  /** The standing grant under which it ran, without another question. */
  readonly grant?: string;
  /** Open questions from the middle of its tool, each with a handle of its own for `settle`. */
  readonly questions?: readonly { readonly handle: string; readonly ask: NonNullable<Pending['ask']> }[];
  /** All waits for people, past and present, in the order of asking. */
  readonly waits?: readonly CallWait[];
  /** Whether it was asked to stop, and by whom. */
  readonly isCancelled?: boolean;
  readonly cancelledBy?: string;
  /** When it is forgotten. */
  readonly expiresAt?: string;
  /** The events within the call, in order; times are milliseconds since the call began. */
  readonly trace?: {
    readonly guards: readonly GuardDecision[];
    readonly attempts: readonly {
      readonly attempt: number;
      readonly tookMs: number;
      readonly endedAtMs: number;
      readonly status: Outcome['status'];
      readonly kind?: FailureKind;
      readonly message?: string;
    }[];
    /** Steps, in the order in which they ended; those that run have no end yet. */
    readonly steps: readonly {
      readonly step: string;
      readonly atMs: number;
      readonly tookMs?: number;
      readonly status?: 'ok' | 'error';
      readonly kind?: FailureKind;
      readonly message?: string;
      /** Whether it did not run, because an earlier run had recorded its end. */
      readonly replayed?: true;
    }[];
    /** The last of what the tool reported. */
    readonly progress: readonly { readonly message?: string; readonly done?: number; readonly total?: number; readonly atMs: number }[];
    /** How long the call has run so far; absent once it has ended. */
    readonly soFarMs?: number;
  };
}

/** A question that a call has asked people: whether it may run, or something in the middle of its tool. Times are ISO times. */
export interface CallWait {
  readonly handle: string;
  readonly kind: 'approval' | 'input';
  readonly message: string;
  /** `expired`: nobody decided in time; `withdrawn`: its call ended, or asks something else now. */
  readonly state: 'open' | 'approved' | 'denied' | 'answered' | 'withdrawn' | 'expired';
  readonly askedAt: string;
  readonly expiresAt?: string;
  /** When it was decided or withdrawn. */
  readonly decidedAt?: string;
  /** Who decided, where that is known. */
  readonly by?: string;
  readonly reason?: string;
  /** The person's changes of the arguments. */
  readonly changes?: readonly InputChange[];
  /** The answer, as JSON without secrets; cut. */
  readonly answer?: string;
  /** The text that the model read while the call waited. */
  readonly modelText?: string;
}

/** The events within a call. */
export type CallTrace = NonNullable<RecordedCall['trace']>;

/** A step of a call. */
export type StepTrace = CallTrace['steps'][number];

/** The last that a running call has reported. */
export type CallProgress = NonNullable<ListedCall['progress']>;
