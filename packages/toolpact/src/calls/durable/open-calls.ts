import { noTenant } from '../../contract/index.ts';
import type { Awaitable, OpenCall, PutResult, RecordKey, Store, StoredRecord } from '../../ports/index.ts';
import { maxTries } from '../store-access/ask-store.ts';

/** A call whose process, or the one that answers it, dies in the middle of its writes is looked at after this time. */
export const lookAgainMs = 10_000;

/** All tenants are in one list, because a worker serves all of them; the list holds no arguments and no results. */
function placeOf(tenant: string, key: string): RecordKey {
  return { space: 'open-call', tenant: noTenant, key: JSON.stringify([tenant, key]) };
}

/** Puts a call on the list; over a certain version, where that is given. */
export function openCall(store: Store, call: Omit<OpenCall, 'v'>, expiresAt: number, expect?: number): Awaitable<PutResult> {
  return store.put({ ...placeOf(call.tenant, call.key), value: { v: 1, ...call } as never, expiresAt }, expect);
}

/** Finds a call on the list. */
export async function findOpenCall(store: Store, tenant: string, key: string): Promise<OpenCall | undefined> {
  return readOpenCall(await store.get(placeOf(tenant, key)));
}

/** Takes a call off the list. */
export function closeCall(store: Store, tenant: string, key: string): Awaitable<boolean> {
  return store.remove(placeOf(tenant, key));
}

/** Changes what the list says of a call, if it is there. */
export async function changeOpenCall(
  store: Store,
  tenant: string,
  key: string,
  change: (call: OpenCall) => Partial<OpenCall>,
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = await store.get(placeOf(tenant, key));
    const call = readOpenCall(record);
    if (record === undefined || call === undefined) return;
    const { version, seq: _seq, value: _value, ...at } = record;
    if ((await store.put({ ...at, value: { ...call, ...change(call) } as never }, version)).ok) return;
  }
}

/** Lists a page of the calls that are open, oldest first. */
export async function listOpenCalls(store: Store, after: number | undefined, limit: number) {
  const records = await store.list({ space: 'open-call', tenant: noTenant, after, limit });
  return { calls: records.flatMap((record) => readOpenCall(record) ?? []), last: records.at(-1)?.seq };
}

/** Believes a record only if it holds an open call. */
function readOpenCall(record: StoredRecord | undefined): OpenCall | undefined {
  const call = (record?.value ?? {}) as unknown as Partial<OpenCall>;
  const isSound = call.v === 1 && typeof call.tenant === 'string' && typeof call.key === 'string' && typeof call.owner === 'string';
  return isSound ? (call as OpenCall) : undefined;
}
