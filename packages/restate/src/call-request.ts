import type { CallContext, JsonValue, Outcome, Pending } from 'toolpact';
import type { EngineRun, GuardedCall, StepRecord } from 'toolpact/extend';
import { toKeptRecords } from './kept-steps.ts';

/** The name and phase of the guard that sends calls. */
export const restateGuard = { name: 'restate', phase: 'key' } as const;

/** A call on its way to a worker. Credentials and what the application gave stay where they are: a worker brings its own. */
export interface CallRequest {
  readonly v: 1;
  readonly tool: string;
  readonly args: JsonValue;
  readonly context: CallContext;
  /** The idempotency key for the tool. */
  readonly key?: string;
  /** Names the call for the keys of its steps, where it has no key. */
  readonly callName?: string;
  /** Records of the failed call that this one continues. */
  readonly kept?: KeptRecords;
  /** How often that call asked each of its questions. */
  readonly asked?: Readonly<Record<string, number>>;
  /** The first step that is done again. @default the first that has not ended */
  readonly from?: string;
}

/** How a call ended, as its workflow keeps it. */
export interface CallResult {
  readonly v: 1;
  readonly outcome: Outcome;
  /** Records of the call, if it failed. */
  readonly kept?: KeptRecords;
}

/** The ends of steps, sleeps and questions, by their ids. */
export type KeptRecords = Readonly<Record<string, StepRecord>>;

/** The state of a workflow that has not ended. */
export interface CallState {
  readonly v: 1;
  /** Names the invocation of Restate, by which it is cancelled. */
  readonly restateId: string;
  readonly waiting?: WaitingState;
}

/** The state of a workflow that waits. */
export interface WaitingState {
  readonly pending: Pending;
  /** When it goes on by itself, in epoch milliseconds of its worker. */
  readonly wakeAt?: number;
  /** Questions that were unanswered when the workflow began to wait. */
  readonly questions: readonly OpenQuestion[];
  /** The questions whose answers it had seen by then. */
  readonly answered: readonly string[];
}

/** A question that was not answered. */
export interface OpenQuestion {
  /** Differs for every question of a call; the promise of its answer has this name. */
  readonly id: string;
  readonly ask: NonNullable<Pending['ask']>;
}

/** Left of the caller's time for the way back. */
export const wayBackMs = 500;

/** Creates what is sent of a call. */
export function toRequest(call: GuardedCall, run: EngineRun): CallRequest {
  const { questions, place, origin, from } = run;
  const timeoutMs = Math.max(1, Math.floor(call.remainingMs - Math.min(wayBackMs, call.remainingMs / 10)));
  const earlier = questions.filter(({ kind, handle }) => kind === 'input' && !handle.startsWith(`${place.id}?`));
  const asked: Record<string, number> = {};
  for (const { id } of earlier) asked[nameOfQuestion(id)] = (asked[nameOfQuestion(id)] ?? 0) + 1;
  return {
    v: 1,
    tool: call.tool.name,
    args: (call.received ?? {}) as JsonValue,
    context: { ...toTravellingContext(call), timeoutMs },
    ...(call.key === undefined ? { callName: origin } : { key: call.key }),
    kept: toKeptRecords(
      run.steps(),
      earlier.map(({ id, answer }) => ({ id: nameOfQuestion(id), answer })),
    ),
    ...(earlier.length > 0 && { asked }),
    ...(from !== undefined && { from }),
  };
}

/** Returns the id under which a tool asks, whichever time it was. */
function nameOfQuestion(id: string): string {
  return id.slice(0, id.lastIndexOf('#'));
}

/** Fields of a context that never leave their process. */
const staysHere: ReadonlySet<string> = new Set(['auth', 'app', 'client', 'timeoutMs', 'idempotencyKey', 'invocationId', 'traceId']);

/** Returns the part of a context that travels: texts, numbers and the ids of the application. */
function toTravellingContext(call: GuardedCall): CallContext {
  const parts = Object.entries(call.context).filter(
    ([name, value]) => !staysHere.has(name) && (typeof value === 'string' || typeof value === 'number' || name === 'ids'),
  );
  return { ...Object.fromEntries(parts), invocationId: call.invocationId, traceId: call.traceId };
}
