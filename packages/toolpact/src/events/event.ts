import { isObject } from '../json/index.ts';
import type { Failure, JsonObject, JsonValue, Outcome } from '../outcome/index.ts';

/** Is part of every event. */
type EventStamp = {
  readonly v: 1;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** The call that an event belongs to, with the ids of its context. */
export interface CallFacts {
  /** Distinguishes calls even where two share an invocation id; the same in all events of one call. */
  readonly call: string;
  readonly tool: string;
  readonly invocationId: string;
  readonly traceId: string;
  /** The id the model or provider gave this call. */
  readonly callId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly requestId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly conversationId?: string;
  readonly agentName?: string;
  readonly promptName?: string;
  readonly adapter?: string;
  readonly workerId?: string;
  /** The span that records the call, where telemetry is on. */
  readonly spanId?: string;
  /** Ids of the application's own domain, such as the run of an ingestion. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** A call begins. The arguments are redacted. */
type CallStartEvent = EventStamp &
  CallFacts & {
    readonly type: 'call-start';
    readonly input: JsonValue;
  };

/** One attempt of a call is over; a call that was refused before its tool ran has none. */
type AttemptEndEvent = EventStamp &
  CallFacts & {
    readonly type: 'attempt-end';
    /** Counted from 1. */
    readonly attempt: number;
    readonly status: Outcome['status'];
    readonly error?: Failure;
    readonly tookMs: number;
  };

/** A call is over, however it went. Every call has exactly one of these: the outcome as its caller got it, its `input` redacted. */
type CallEndEvent = EventStamp &
  CallFacts & {
    readonly type: 'call-end';
    readonly outcome: Outcome;
  };

/** A running tool reports how far it is. The message is redacted. */
type ProgressEvent = EventStamp &
  CallFacts & {
    readonly type: 'progress';
    readonly message?: string;
    readonly done?: number;
    readonly total?: number;
  };

/** A running tool writes to its log. Message and details are redacted. */
type LogEvent = EventStamp &
  CallFacts & {
    readonly type: 'log';
    readonly message: string;
    readonly details?: JsonValue;
  };

/** A step of a call with a memory begins: it runs, or is answered from what is recorded. */
type StepStartEvent = EventStamp &
  CallFacts & {
    readonly type: 'step-start';
    readonly step: string;
    /** How often the name has begun in this attempt, this time included. */
    readonly occurrence: number;
    readonly effects: 'none' | 'idempotent' | 'writes';
  };

/** A step of a call with a memory has ended. */
type StepEndEvent = EventStamp &
  CallFacts & {
    readonly type: 'step-end';
    readonly step: string;
    readonly occurrence: number;
    readonly effects: 'none' | 'idempotent' | 'writes';
    readonly status: 'ok' | 'error';
    /** Whether it did not run, because its end was recorded. */
    readonly replayed: boolean;
    readonly error?: Failure;
    readonly tookMs: number;
  };

/** A tool answered after its call had ended, by deadline or by the caller. */
type LateEvent = EventStamp &
  CallFacts & {
    readonly type: 'late';
    readonly ok: boolean;
  };

/** A server refused a request before it became a call: who asked for what, and why not. */
type DeniedEvent = EventStamp & {
  readonly type: 'denied';
  readonly reason: 'host' | 'origin' | 'unauthenticated' | 'forbidden' | 'tenant' | 'rate_limited' | 'denied';
  /** The message for the caller. */
  readonly message: string;
  readonly method: string;
  readonly path: string;
  readonly traceId: string;
  readonly tool?: string;
  readonly tenantId?: string;
  /** Who the credential belongs to. */
  readonly subject?: string;
  /** The id of the credential, never the credential itself. */
  readonly keyId?: string;
};

/** Something that watches or keeps calls failed: a listener, a handler, a reducer, a sink, a resource, an authenticator. No call failed because of it. */
type ProblemEvent = EventStamp & {
  readonly type: 'problem';
  readonly where: string;
  /** Redacted. */
  readonly message: string;
  /** The event that was being taken. */
  readonly eventId?: string;
  /** The id that the answer to a request names, which failed because of it. */
  readonly debugId?: string;
};

/** A model was given the list of tools. */
type ToolsOfferedEvent = EventStamp & {
  readonly type: 'tools-offered';
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema?: JsonObject }[];
  readonly adapter?: string;
  readonly promptName?: string;
  readonly sessionId?: string;
};

/** A person is asked to allow a call, or has answered. */
type ApprovalEvent = EventStamp & {
  readonly type: 'approval-requested' | 'approval-granted' | 'approval-denied' | 'approval-expired';
  readonly handle: string;
  readonly tool: string;
  readonly invocationId?: string;
  readonly callId?: string;
  readonly sessionId?: string;
  /** Who decided. */
  readonly by?: string;
  readonly reason?: string;
};

/** A provider loop starts to talk to a model. */
type PromptStartEvent = EventStamp & {
  readonly type: 'prompt-start';
  readonly promptName?: string;
  readonly adapter?: string;
  readonly sessionId?: string;
  readonly conversationId?: string;
};

/** A provider loop is over. `error` is set when the provider failed; a failed tool never ends a prompt. */
type PromptEndEvent = EventStamp & {
  readonly type: 'prompt-end';
  readonly promptName?: string;
  readonly adapter?: string;
  readonly sessionId?: string;
  readonly conversationId?: string;
  readonly rounds?: number;
  readonly usage?: Readonly<Record<string, number>>;
  readonly error?: Failure;
};

/** Any event, distinguished by `type`. Events are plain data: safe to store, send and show. */
export type ToolpactEvent =
  | CallStartEvent
  | AttemptEndEvent
  | CallEndEvent
  | ProgressEvent
  | LogEvent
  | StepStartEvent
  | StepEndEvent
  | LateEvent
  | DeniedEvent
  | ProblemEvent
  | ToolsOfferedEvent
  | ApprovalEvent
  | PromptStartEvent
  | PromptEndEvent;

/** The name of an event. */
export type EventType = ToolpactEvent['type'];

/** The event of a name, such as `EventOf<'call-end'>`. */
export type EventOf<TType extends EventType> = Having<ToolpactEvent, TType>;

type Having<TEvent extends ToolpactEvent, TType extends EventType> = TEvent extends unknown
  ? TType extends TEvent['type']
    ? TEvent & { readonly type: TType }
    : never
  : never;

/** An event before it is stamped. */
export type EventDraft<TEvent extends ToolpactEvent = ToolpactEvent> = TEvent extends ToolpactEvent
  ? Omit<TEvent, keyof EventStamp>
  : never;

/** Anything that takes events: a bus, a session, or a function of your own in an object. */
export interface EventSink {
  readonly emit: (event: ToolpactEvent) => unknown;
}

/** Checks whether a value looks like an event: an object with a `type`. */
export function isEvent(value: unknown): value is ToolpactEvent {
  return isObject(value) && 'type' in value && typeof value.type === 'string';
}
