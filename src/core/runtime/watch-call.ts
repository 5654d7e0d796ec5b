import type { CallContext, CallSession, SessionPort } from '../contract/index.ts';
import {
  type AttemptEndEvent,
  type CallEndEvent,
  type CallFacts,
  type CallStartEvent,
  createEvent,
  createEventId,
  type EventDraft,
  type EventSink,
  type ToolpactEvent,
} from '../events/index.ts';
import type { Outcome } from '../outcome/index.ts';
import { isolate } from './isolate.ts';
import type { CallEvent, CallSpan, GuardedCall, TracedCall } from './ports.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** A call, as far as its watchers are concerned. */
export interface WatchedCall extends TracedCall {
  readonly plan: ToolPlan;
  readonly settings: CallSettings;
  readonly input: unknown;
  readonly attempts: number;
  traceId: string;
  readonly event: CallEvent;
  readonly warn: (text: string) => void;
}

/** Whoever hears the events of one call. */
export interface CallWatch {
  /** The session the call runs in, as its handler sees it. */
  readonly session: CallSession | undefined;
  readonly emit: (draft: EventDraft) => void;
  /** The events that begin and end the call; asked for twice, they are the same. */
  readonly events: GuardedCall['events'];
  readonly beginAttempt: () => void;
  readonly endAttempt: (outcome: Outcome) => void;
  readonly end: (outcome: Outcome) => void;
}

/** Tells the sinks of a call, and its session, that it begins; gives what tells them the rest. */
export function watchCall(call: WatchedCall): CallWatch {
  const { settings, context } = call;
  // The caller's session comes first: it may be the view of an outer call, which makes this one a part of that.
  const sinks = [context.session as EventSink | undefined, settings.events].filter((sink) => sink !== undefined);
  const facts = toFacts(call, sinks);
  let attemptAt = call.startedAt;
  let attemptsEnded = 0;
  let ended = false;
  let view: CallSession | undefined;

  const emit = (draft: EventDraft): void => emitTo(sinks, createEvent(draft));

  function endAttempt(outcome: Outcome): void {
    attemptsEnded += 1;
    const tookMs = Math.max(1, Math.round((performance.now() - attemptAt) * 1000)) / 1000;
    const draft: EventDraft<AttemptEndEvent> = { type: 'attempt-end', ...facts, attempt: attemptsEnded, status: outcome.status, tookMs };
    emit(outcome.status === 'error' ? { ...draft, error: outcome.error } : draft);
  }

  const start = createEvent({ type: 'call-start', ...facts, input: settings.redactor.value(call.received) }, { id: facts.call });
  let last: CallEndEvent | undefined;
  const endOf = (outcome: Outcome): CallEndEvent => {
    if (last?.outcome !== outcome) last = createEvent({ type: 'call-end', ...facts, outcome }) as CallEndEvent;
    return last;
  };
  emitTo(sinks, start);
  return {
    get session() {
      view ??= quietly(() => sessionOf(sinks)?.forCall(facts.call));
      return view;
    },
    emit,
    events: { start: () => start as CallStartEvent, end: endOf },
    beginAttempt: () => {
      attemptAt = performance.now();
    },
    endAttempt,
    end(outcome) {
      if (ended) return;
      ended = true;
      // An attempt that its deadline or its caller ended has not told so itself.
      if (call.attempts > attemptsEnded) endAttempt(outcome);
      emitTo(sinks, endOf(outcome));
    },
  };
}

/** Gives an event to sinks, none of which can break anything. */
export function emitTo(sinks: readonly EventSink[], event: ToolpactEvent): void {
  for (const sink of sinks) isolate(() => sink.emit(event));
}

/** Starts the span of a call; undefined when nobody records. */
export function startSpan(call: WatchedCall): CallSpan | undefined {
  return quietly(() => {
    const span = call.settings.telemetry?.start(call);
    if (span?.traceId !== undefined && call.context.traceId === undefined) call.traceId = span.traceId;
    return span;
  });
}

/** Runs a call's handler inside its span, so that what the handler starts becomes the span's child. */
export function runWithin(call: WatchedCall, span: CallSpan): unknown {
  // The handler runs once and its answer is the one that counts, whatever the record makes of both.
  let answer: (() => unknown) | undefined;
  const run = (): unknown => {
    answer ??= answerOf(call);
    return answer();
  };
  try {
    span.within(run, call.attempts);
  } catch {
    if (answer === undefined) call.warn('telemetry failed; the call ran without it');
  }
  return run();
}

function answerOf(call: WatchedCall): () => unknown {
  try {
    const value = call.plan.run(call.input as never, call as never);
    return () => value;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

function sessionOf(sinks: readonly EventSink[]): SessionPort | undefined {
  return sinks.find((sink) => typeof (sink as { readonly forCall?: unknown }).forCall === 'function') as unknown as SessionPort | undefined;
}

/** Reads from somebody else's code; undefined when that fails. */
function quietly<TValue>(read: () => TValue): TValue | undefined {
  let value: TValue | undefined;
  isolate(() => {
    value = read();
    return value;
  });
  return value;
}

const carried = [
  'callId',
  'sessionId',
  'runId',
  'requestId',
  'tenantId',
  'userId',
  'conversationId',
  'agentName',
  'promptName',
  'adapter',
] as const satisfies readonly (keyof CallFacts & keyof CallContext)[];

function toFacts(call: WatchedCall, sinks: readonly EventSink[]): CallFacts {
  const { context } = call;
  const facts = { call: createEventId(), ...call.event } as { -readonly [TKey in keyof CallFacts]: CallFacts[TKey] };
  for (const key of carried) {
    const value = context[key];
    if (value !== undefined) facts[key] = value;
  }
  const sessionId = facts.sessionId ?? quietly(() => sessionOf(sinks)?.id);
  if (sessionId !== undefined) facts.sessionId = sessionId;
  return facts;
}
