import type { CallContext, CallSession, Progress, SessionPort } from '../contract/index.ts';
import {
  type CallFacts,
  createEvent,
  createEventId,
  type EventDraft,
  type EventOf,
  type EventSink,
  isolate,
  type ToolpactEvent,
} from '../events/index.ts';
import { isObject } from '../json/index.ts';
import { type Outcome, withoutAbsent } from '../outcome/index.ts';
import type { CallSpan, GuardedCall, TracedCall } from '../ports/index.ts';
import { elapsedMs } from '../time/index.ts';
import { callerTexts } from './merge-context.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** Says which call an event belongs to. */
export interface CallEvent {
  readonly tool: string;
  readonly invocationId: string;
  readonly traceId: string;
  readonly callId?: string | undefined;
}

/** A call, as far as its watchers are concerned. */
export interface WatchedCall extends TracedCall {
  readonly plan: ToolPlan;
  readonly settings: CallSettings;
  readonly input: unknown;
  readonly attempts: number;
  traceId: string;
  endedAt: number;
  span: CallSpan | undefined;
  watch: CallWatch | undefined;
  readonly event: CallEvent;
  readonly warn: (text: string) => void;
}

/** An event of a running call, before it is said which call. */
type CallDraft =
  | Omit<EventDraft<EventOf<'progress'>>, keyof CallFacts>
  | Omit<EventDraft<EventOf<'log'>>, keyof CallFacts>
  | Omit<EventDraft<EventOf<'step-start'>>, keyof CallFacts>
  | Omit<EventDraft<EventOf<'step-end'>>, keyof CallFacts>
  | Omit<EventDraft<EventOf<'late'>>, keyof CallFacts>;

/** Gives the events of one call to its session and to the listeners of its toolbox. */
export interface CallWatch {
  /** The session the call runs in, as its handler sees it. */
  readonly session: CallSession | undefined;
  readonly emit: (draft: EventDraft) => void;
  /** Emits an event of this call: it gets what all events of the call carry. */
  readonly emitOfCall: (draft: CallDraft) => void;
  /** The events that begin and end the call; asked for twice, they are the same. */
  readonly events: GuardedCall['events'];
  readonly beginAttempt: () => void;
  readonly endAttempt: (outcome: Outcome) => void;
  readonly end: (outcome: Outcome) => void;
}

/** Begins to watch a call: starts its span, and gives its first event to the session and the listeners, if there are any. */
export function beginWatch(call: WatchedCall): void {
  const { settings, context } = call;
  if (settings.telemetry) call.span = startSpan(call);
  if (settings.dispatcher.active || context.session) call.watch = watchCall(call);
}

/** Ends the attempt of a watched call. */
export function tellAttempt(call: WatchedCall, outcome: Outcome): void {
  call.watch?.endAttempt(outcome);
  const { span } = call;
  if (span?.endAttempt) isolate(() => span.endAttempt?.(outcome));
}

/** Gives the progress of a call to its caller and to those who watch it. */
export function emitProgress(call: WatchedCall, given: Progress | string): void {
  const { context, watch } = call;
  // A progress that is nothing, or something else, must not end the call.
  const { message, ...counts } = (isObject(given) ? given : { message: given }) as Progress;
  // To look for secrets in a long text takes long. The end is cut off afterwards, because half a secret is not recognised.
  const isText = message !== undefined && message !== null && message !== '';
  const progress: Progress = isText ? { ...counts, message: call.redactor.text(String(message).slice(0, 10_000)).slice(0, 8_000) } : counts;
  const { onProgress } = context;
  if (onProgress) isolate(() => onProgress(progress));
  watch?.emitOfCall({ type: 'progress', ...progress });
}

/** Ends the watch of a call: its events, then its span. */
export function endWatch(call: WatchedCall, outcome: Outcome): void {
  call.watch?.end(outcome);
  const { span } = call;
  if (!span) return;
  // A guard may have answered, or waited, after the last outcome was built.
  if (call.settings.guards.length > 0 || !(call.endedAt > 0)) call.endedAt = performance.now();
  isolate(() => span.end(outcome));
}

/** Gives an event to a session and to the listeners of a toolbox. */
export function giveEvent({ dispatcher }: CallSettings, session: EventSink | undefined, event: ToolpactEvent): void {
  if (session) isolate(() => session.emit(event));
  dispatcher.emit(event);
}

function watchCall(call: WatchedCall): CallWatch {
  const { settings, context } = call;
  // The caller's session comes first: it may be the view of an outer call, which makes this one a part of that.
  const own = context.session as EventSink | undefined;
  const session = sessionOf(own) ?? settings.session;
  const facts = toFacts(call, session);
  let attemptAt = call.startedAt;
  let attemptsEnded = 0;
  let ended = false;
  let view: CallSession | undefined;

  const give = (event: ToolpactEvent): void => {
    giveEvent(settings, own, event);
  };
  const emit = (draft: EventDraft): void => give(createEvent(draft));

  function tellAttempt(outcome: Outcome): void {
    attemptsEnded += 1;
    const tookMs = elapsedMs(attemptAt, performance.now());
    const draft: EventDraft<EventOf<'attempt-end'>> = {
      type: 'attempt-end',
      ...facts,
      attempt: attemptsEnded,
      status: outcome.status,
      tookMs,
    };
    emit(outcome.status === 'error' ? { ...draft, error: outcome.error } : draft);
  }

  const start = createEvent({ type: 'call-start', ...facts, input: call.redactor.value(call.received) }, { id: facts.call });
  let last: { readonly outcome: Outcome; readonly event: EventOf<'call-end'> } | undefined;
  const endOf = (outcome: Outcome): EventOf<'call-end'> => {
    if (last?.outcome !== outcome) last = { outcome, event: createEvent({ type: 'call-end', ...facts, outcome: shown(outcome) }) };
    return last.event;
  };
  const shown = (outcome: Outcome): Outcome => {
    const { input } = outcome;
    if (input === undefined) return outcome;
    return Object.freeze({ ...outcome, input: call.redactor.value(input) });
  };
  give(start);
  return {
    get session() {
      view ??= quietly(() => session?.forCall(facts.call));
      return view;
    },
    emit,
    emitOfCall: (draft) => emit({ ...facts, ...draft } as EventDraft),
    events: { start: () => start, end: endOf },
    beginAttempt: () => {
      attemptAt = performance.now();
    },
    endAttempt: tellAttempt,
    end(outcome) {
      if (ended) return;
      ended = true;
      // An attempt that its deadline or its caller ended has no end of its own yet.
      if (call.attempts > attemptsEnded) tellAttempt(outcome);
      give(endOf(outcome));
    },
  };
}

/** Starts the span of a call; undefined when nothing records. */
function startSpan(call: WatchedCall): CallSpan | undefined {
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
    if (!answer) call.warn('telemetry failed; the call ran without it');
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

/** Distinguishes a session from other sinks: it has a view for each call. */
export function sessionOf(sink: EventSink | undefined): SessionPort | undefined {
  return typeof (sink as { readonly forCall?: unknown } | undefined)?.forCall === 'function' ? (sink as unknown as SessionPort) : undefined;
}

/** Reads from foreign code; undefined when that fails. */
function quietly<TValue>(read: () => TValue): TValue | undefined {
  let value: TValue | undefined;
  isolate(() => {
    value = read();
    return value;
  });
  return value;
}

const carried = [...callerTexts, 'ids'] as const satisfies readonly (keyof CallFacts & keyof CallContext)[];

function toFacts(call: WatchedCall, session: SessionPort | undefined): CallFacts {
  const facts: Record<string, unknown> = { call: createEventId(), ...call.event, spanId: quietly(() => call.span?.spanId) };
  for (const key of carried) facts[key] = call.context[key];
  facts.sessionId ??= quietly(() => session?.id);
  return withoutAbsent<CallFacts>(facts);
}
