import type { JsonValue, Outcome, Pending } from '../../core/outcome/index.ts';
import type { RecordKey, Store, StoredRecord } from '../../core/runtime/index.ts';
import { askStore } from './ask-store.ts';

/** A call that was answered as pending, and its outcome once there is one. */
export interface PendingCall {
  readonly v: 1;
  readonly tool: string;
  readonly invocationId: string;
  readonly callId?: string;
  readonly pending: Pending;
  /** The arguments as received, redacted. */
  readonly input: JsonValue;
  readonly outcome?: Outcome;
}

/** Names the record of a pending call. */
export function pendingKey(tenant: string, handle: string): RecordKey {
  return { space: 'pending', tenant, key: handle };
}

/** Believes a record only if it holds a pending call. */
export function readPendingCall(record: StoredRecord | undefined): PendingCall | undefined {
  const value = (record?.value ?? {}) as unknown as Partial<PendingCall>;
  const isSound = value.v === 1 && typeof value.tool === 'string' && typeof value.pending?.handle === 'string';
  return isSound && (value.outcome === undefined || typeof value.outcome?.meta === 'object') ? (value as PendingCall) : undefined;
}

/** Gives what a pending outcome has become, or the same outcome while it still waits. */
export async function settledOutcome(store: Store, tenant: string, outcome: Outcome): Promise<Outcome> {
  if (outcome.status !== 'pending') return outcome;
  const answer = await askStore(() => store.get(pendingKey(tenant, outcome.pending.handle)));
  return (answer.ok ? readPendingCall(answer.value)?.outcome : undefined) ?? outcome;
}
