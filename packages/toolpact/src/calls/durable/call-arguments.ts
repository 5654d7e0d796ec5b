import { measureJson } from '../../json/index.ts';
import type { GuardedCall, RecordDraft, RecordKey, StoredRecord } from '../../ports/index.ts';

/** Arguments of more characters than this are not kept. */
const largest = 2 ** 25;

/** Names the arguments of a call with steps. They are kept whole, apart from what is listed and shown. */
export function argumentsPlace(tenant: string, key: string): RecordKey {
  return { space: 'call-args', tenant, key };
}

/** Counts the characters of the arguments that {@link argumentsDraft} keeps; 0 where it keeps none. */
export function sizeOfArguments({ received }: GuardedCall): number {
  const size = measureJson(received, largest);
  return size <= largest ? size : 0;
}

/**
 * Makes the record of the arguments with which a call runs again. They are those received, because they are checked again then; what the
 * application brought (`auth`, `app`) is not among them. Undefined where they have no JSON form.
 */
export function argumentsDraft(call: GuardedCall, key: string, expiresAt: number): RecordDraft | undefined {
  if (sizeOfArguments(call) === 0) return undefined;
  const { timeoutMs } = call.context;
  const value = { v: 1, args: call.received, ...(timeoutMs !== undefined && { timeoutMs }) };
  return { ...argumentsPlace(call.tenantId, key), value: value as never, expiresAt };
}

/** Reads what {@link argumentsDraft} made. */
export function readArguments(record: StoredRecord | undefined): { readonly args: unknown; readonly timeoutMs?: number } | undefined {
  const { v, args, timeoutMs } = (record?.value ?? {}) as { readonly v?: unknown; readonly args?: unknown; readonly timeoutMs?: number };
  return v === 1 && args !== undefined ? { args, ...(timeoutMs !== undefined && { timeoutMs }) } : undefined;
}
