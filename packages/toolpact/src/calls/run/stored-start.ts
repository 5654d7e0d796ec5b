import type { EventOf } from '../../events/index.ts';
import { canonicalJson, cutJson, isRecord, measureJson } from '../../json/index.ts';
import type { JsonObject, JsonValue } from '../../outcome/index.ts';
import type { GuardedCall, StoredCall } from '../../ports/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { Fingerprints } from '../store/fingerprint.ts';

/** The stored beginning of a call, and everything needed to continue from there. */
export interface StoredStart {
  readonly v: 1;
  readonly event: EventOf<'call-start'>;
  /** Whether the event holds the arguments as they were given: nothing in them was redacted or cut. */
  readonly isWhole: boolean;
  /** Fingerprints of the arguments, field by field, of a call with a key. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  /** The call that this one runs again, and the step from which it does. */
  readonly rerunOf?: string;
  readonly rerunFrom?: string;
  /** The time that the caller stated. */
  readonly timeoutMs?: number;
}

/** Additional fields of the event that began a call. */
export type StartFacts = Pick<StoredStart, 'fields' | 'rerunOf' | 'rerunFrom'> & { readonly prints?: Fingerprints };

/** Rules for storing arguments: nothing is stored if calls are not listed. */
type StartRules = Pick<CallRegistry, 'isListed' | 'maxInputChars'>;

/** Creates the stored form of a call's beginning. */
export function toStart(call: GuardedCall, { isListed, maxInputChars }: StartRules, facts: StartFacts = {}): StoredStart {
  const event = call.events.start();
  const input = isListed ? (cutJson(event.input, maxInputChars, []) as JsonValue) : null;
  const { fields, rerunOf, rerunFrom } = facts;
  const { idempotencyKey, timeoutMs } = call.context;
  return {
    v: 1,
    event: input === event.input ? event : { ...event, input },
    isWhole: isListed && canonicalJson(input) === canonicalJson(call.received),
    ...(fields !== undefined && { fields }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(rerunOf !== undefined && { rerunOf }),
    ...(rerunFrom !== undefined && { rerunFrom }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** Reads what {@link toStart} made; undefined for anything else. */
export function readStart({ start }: Pick<StoredCall, 'start'>): StoredStart | undefined {
  const { v, event, isWhole } = start as Partial<Record<keyof StoredStart, unknown>>;
  const isSound = v === 1 && isRecord(event) && event.type === 'call-start' && typeof isWhole === 'boolean';
  return isSound ? (start as unknown as StoredStart) : undefined;
}

/** Writes what is stored as JSON. */
export function startJson(start: StoredStart): JsonObject {
  return start as unknown as JsonObject;
}

/** Arguments of more characters than this are not kept. */
const largestArguments = 2 ** 25;

/** Counts the characters of the arguments with which a call would run again; 0 where they have no JSON form, or are too large. */
export function sizeOfArguments({ received }: GuardedCall): number {
  const size = measureJson(received, largestArguments);
  return size <= largestArguments ? size : 0;
}
