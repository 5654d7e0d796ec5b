import { hash } from 'node:crypto';
import type { CallContext } from '../../../core/contract/index.ts';
import { isRecord, sortKeys } from '../../../core/json/index.ts';
import type { JsonValue, Outcome, Pending } from '../../../core/outcome/index.ts';
import type { ArgumentPrints, GuardedCall, StepRecord } from '../../../core/runtime/index.ts';

/** What the guard is called that sends calls, and where it stands. */
export const restateGuard = { name: 'restate', phase: 'key' } as const;

/** A call on its way to a worker. Credentials and what the application gave stay where they are: a worker brings its own. */
export interface CallRequest {
  readonly v: 1;
  readonly tool: string;
  readonly args: JsonValue;
  readonly context: CallContext;
  readonly fields: ArgumentPrints;
  /** When it was made, in epoch milliseconds. */
  readonly since: number;
  /** What the tool finds as its idempotency key. */
  readonly key?: string;
  /** What a person has to decide about before the call runs. */
  readonly approval?: ApprovalRequest;
  /** The steps that returned before the last call of this key failed. */
  readonly kept?: KeptSteps;
  /** Whether an earlier call of this key has an unknown effect, which `reconcile` must settle before this one runs. */
  readonly isAfterLost?: boolean;
}

/** What a person has to decide about, and until when (epoch milliseconds). */
export interface ApprovalRequest {
  readonly question: string;
  readonly expiresAt: number;
}

/** How a call ended, as its workflow keeps it. */
export interface CallResult {
  readonly v: 1;
  readonly fields: ArgumentPrints;
  /** The call that made the workflow; others have joined it. */
  readonly invocationId: string;
  readonly outcome: Outcome;
  /** The steps that returned, where the call failed all the same. */
  readonly kept?: KeptSteps;
}

/** Results of steps, by the ids of the steps. */
export type KeptSteps = Readonly<Record<string, StepRecord>>;

/** What a workflow that has not ended says of itself. */
export interface CallState {
  readonly v: 1;
  readonly fields: ArgumentPrints;
  readonly tool: string;
  readonly invocationId: string;
  readonly since: number;
  /** Names the invocation of Restate, by which it is cancelled. */
  readonly restateId: string;
  readonly pending?: Pending;
}

/** Makes the fingerprints of arguments. Restate compares no arguments: these tell whether a key is used again for another call. */
export function printArguments(args: unknown): ArgumentPrints {
  if (!isRecord(args)) return { '': print(args) };
  return Object.fromEntries(Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, print(value)] as const])));
}

/** Gives a fingerprint that is the same for equal JSON, whatever the order of its keys. */
export function print(value: unknown): string {
  return hash('sha256', JSON.stringify(sortKeys(value)) ?? 'null', 'hex').slice(0, 32);
}

/** What of a context stays with its process. */
const staysHere: ReadonlySet<string> = new Set(['auth', 'app', 'timeoutMs', 'idempotencyKey', 'invocationId', 'traceId']);

/** Gives the part of a context that travels: texts, numbers and the ids of the application. */
export function toTravellingContext(call: GuardedCall): CallContext {
  const parts = Object.entries(call.context).filter(
    ([name, value]) => !staysHere.has(name) && (typeof value === 'string' || typeof value === 'number' || name === 'ids'),
  );
  return { ...Object.fromEntries(parts), invocationId: call.invocationId, traceId: call.traceId };
}
