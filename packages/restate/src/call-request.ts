import { hash } from 'node:crypto';
import type { CallContext, JsonValue, Outcome, Pending } from 'toolpact';
import type { GuardedCall, StepRecord } from 'toolpact/extend';
import type { Approval } from 'toolpact/guards';
import { type ArgumentFingerprints, canonicalJson, isRecord } from 'toolpact/internal';

/** What the guard is called that sends calls, and where it stands. */
export const restateGuard = { name: 'restate', phase: 'key' } as const;

/** A call on its way to a worker. Credentials and what the application gave stay where they are: a worker brings its own. */
export interface CallRequest {
  readonly v: 1;
  readonly tool: string;
  readonly args: JsonValue;
  readonly context: CallContext;
  readonly fields: ArgumentFingerprints;
  /** When it was made, in epoch milliseconds. */
  readonly since: number;
  /** What the tool finds as its idempotency key. */
  readonly key?: string;
  /** What a person has to decide about before the call runs. */
  readonly approval?: ApprovalRequest;
  /** What the last call of this name recorded before it failed. */
  readonly kept?: KeptRecords;
  /** Names the call for the keys of its steps, where it has no key and another invocation id than the first call of its name. */
  readonly callName?: string;
  /** Where it is run again by the wish of its caller. */
  readonly rerun?: RerunRequest;
  /** Whether an earlier call of this key has an unknown effect, which `reconcile` must settle before this one runs. */
  readonly isAfterLost?: boolean;
}

/** How a call is run again. */
export interface RerunRequest {
  /** Names the rerun, however often it is sent. */
  readonly by: string;
  /** The first step that is done again. @default the first that has not ended */
  readonly from?: string;
}

/** What a person has to decide about, and until when (epoch milliseconds). Its workflow gives it a handle and a state. */
export type ApprovalRequest = Omit<Approval, 'handle' | 'state'>;

/** A decision about a call. */
export interface Decision {
  readonly verdict: 'approve' | 'deny' | 'expired' | 'cancelled';
  /** When, in epoch milliseconds. */
  readonly at?: number;
  readonly by?: string;
  readonly reason?: string;
}

/** How a call ended, as its workflow keeps it. */
export interface CallResult {
  readonly v: 1;
  readonly fields: ArgumentFingerprints;
  /** The call that made the workflow; others have joined it. */
  readonly invocationId: string;
  readonly outcome: Outcome;
  /** What was recorded, where the call failed all the same. */
  readonly kept?: KeptRecords;
  /** The rerun that it was. */
  readonly rerunBy?: string;
}

/** The ends of steps, sleeps and questions, by their ids. */
export type KeptRecords = Readonly<Record<string, StepRecord>>;

/** What a workflow that has not ended says of itself. */
export interface CallState {
  readonly v: 1;
  readonly fields: ArgumentFingerprints;
  readonly tool: string;
  readonly invocationId: string;
  /** The user who made it. */
  readonly userId?: string;
  readonly since: number;
  /** Names the invocation of Restate, by which it is cancelled. */
  readonly restateId: string;
  /** The rerun that it is. */
  readonly rerunBy?: string;
  /** What a person had to decide about it, and what became of that. */
  readonly approval?: Approval;
  readonly pending?: Pending;
  /** What it asks in the middle of its tool, each with a handle of its own. */
  readonly questions?: readonly OpenQuestion[];
}

/** A question that was not answered. */
export interface OpenQuestion {
  readonly handle: string;
  readonly ask: NonNullable<Pending['ask']>;
}

/** Makes the fingerprints of arguments. Restate compares no arguments: these tell whether a key is used again for another call. */
export function printArguments(args: unknown): ArgumentFingerprints {
  if (!isRecord(args)) return { '': print(args) };
  return Object.fromEntries(Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, print(value)] as const])));
}

/** Gives a fingerprint that is the same for equal JSON, whatever the order of its keys. */
export function print(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex').slice(0, 32);
}

/** What of a context stays with its process. */
const staysHere: ReadonlySet<string> = new Set(['auth', 'app', 'client', 'timeoutMs', 'idempotencyKey', 'invocationId', 'traceId']);

/** Gives the part of a context that travels: texts, numbers and the ids of the application. */
export function toTravellingContext(call: GuardedCall): CallContext {
  const parts = Object.entries(call.context).filter(
    ([name, value]) => !staysHere.has(name) && (typeof value === 'string' || typeof value === 'number' || name === 'ids'),
  );
  return { ...Object.fromEntries(parts), invocationId: call.invocationId, traceId: call.traceId };
}
