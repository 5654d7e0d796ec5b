import type { CallEndEvent, CallStartEvent } from '../../core/events/index.ts';
import type { RecordDraft, Store, StoredRecord } from '../../core/runtime/index.ts';
import { askStore } from './ask-store.ts';

/** The event that began a call, as it is stored, and what is needed to go on from there. */
export interface StoredStart {
  readonly v: 1;
  readonly event: CallStartEvent;
  /** The process that ran it. */
  readonly owner: string;
  /** The fingerprint of the arguments themselves; those in the event are redacted. */
  readonly print: string;
  readonly idempotencyKey?: string;
  /** The call that this one repeats after a crash; it is that call's outcome which counts. */
  readonly repeats?: string;
}

/** The event that ended a call, as it is stored: the outcome without the echo of its input. */
export interface StoredEnd {
  readonly v: 1;
  readonly event: CallEndEvent;
}

/** A call as the journal knows it; without an end it was still running, or was cut off. */
export interface JournalEntry {
  readonly key: string;
  readonly start: StoredStart;
  readonly end: StoredEnd | undefined;
}

/** Believes a record only if it holds the event of its space. */
export function readStart({ value }: StoredRecord): StoredStart | undefined {
  const start = (value ?? {}) as unknown as Partial<StoredStart>;
  return start.v === 1 && start.event?.type === 'call-start' && typeof start.owner === 'string' ? (start as StoredStart) : undefined;
}

/** Believes a record only if it holds the event of its space. */
export function readEnd({ value }: StoredRecord): StoredEnd | undefined {
  const end = (value ?? {}) as unknown as Partial<StoredEnd>;
  return end.v === 1 && end.event?.type === 'call-end' && typeof end.event.outcome?.meta === 'object' ? (end as StoredEnd) : undefined;
}

/** Writes a record that must not be there yet; tells why if it could not. */
export async function writeNew(store: Store, record: RecordDraft): Promise<'written' | 'taken' | { readonly why: string }> {
  const answer = await askStore(() => store.put(record, 0));
  if (!answer.ok) return { why: answer.why };
  if (answer.value?.ok === true) return 'written';
  return answer.value?.ok === false ? 'taken' : { why: 'the store did not say whether it wrote' };
}

/** Lists the calls of a run in the order in which they began. Throws when the store does: nobody may go on from half a journal. */
export async function readRun(store: Store, tenant: string, runId: string): Promise<JournalEntry[]> {
  const ends = new Map((await listAll(store, 'call-end', tenant, runId)).map((record) => [record.key, readEnd(record)]));
  return (await listAll(store, 'call', tenant, runId)).flatMap((record) => {
    const start = readStart(record);
    return start === undefined || start.repeats !== undefined ? [] : [{ key: record.key, start, end: ends.get(record.key) }];
  });
}

async function listAll(store: Store, space: string, tenant: string, group: string): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (;;) {
    const page = await store.list({ space, tenant, group, after: all.at(-1)?.seq });
    all.push(...page);
    if (page.length === 0) return all;
  }
}
