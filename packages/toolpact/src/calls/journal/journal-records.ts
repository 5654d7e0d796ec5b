import type { EventOf } from '../../events/index.ts';
import { cutJson } from '../../json/index.ts';
import type { CallTrace, RecordDraft, Store, StoredRecord } from '../../ports/index.ts';
import type { Rerun } from '../durable/rerun-steps.ts';
import { type Ask, askStore, demandOf } from '../store-access/ask-store.ts';
import { listAll } from '../store-access/list-all.ts';
import { isGuess, isStoredOutcome } from '../store-access/stored-outcome.ts';

/** The event that began a call, as it is stored, and what is needed to go on from there. */
export interface StoredStart {
  readonly v: 1;
  readonly event: EventOf<'call-start'>;
  /** The process that ran it. */
  readonly owner: string;
  /** Whether the event holds the arguments as they were given: nothing in them was redacted or cut. */
  readonly isWhole: boolean;
  readonly idempotencyKey?: string;
  /** The call that this one repeats after a crash; it is that call's outcome which counts. */
  readonly repeats?: string;
  /** The call that this one runs again, with its steps: always the first of them. */
  readonly rerunOf?: string;
  /** The step from which it is run again. */
  readonly rerunFrom?: string;
}

/** What a list says of a call besides the event that began it. */
export type ListedFact = 'idempotencyKey' | 'repeats' | 'rerunOf' | 'rerunFrom';

/** The event that ended a call, as it is stored: the outcome without the echo of its input. */
export interface StoredEnd {
  readonly v: 1;
  readonly event: EventOf<'call-end'>;
  /** What happened within the call; absent where another process recorded its end. */
  readonly trace?: CallTrace;
}

/** The end of a call, and the start that it belongs to. */
export interface EndedCall {
  readonly start: Pick<StoredStart, 'event' | ListedFact>;
  readonly event: EventOf<'call-end'>;
  readonly trace?: CallTrace;
}

/** A call as the journal knows it; without an end it was still running, or was cut off. */
export interface JournalEntry {
  readonly key: string;
  readonly start: StoredStart;
  readonly end: StoredEnd | undefined;
}

/** A call that the journal makes itself, by its invocation id. */
export interface MadeAgain {
  /** The first of its invocations, by which its steps are kept. */
  readonly origin: string;
  /** The recorded call that it goes on with, whose end it finds. */
  readonly repeats?: string;
  /** Gives whether the end of that call is recorded: until then its steps are needed by whoever goes on with it next. */
  readonly endRecorded?: Promise<boolean>;
  /** What is done again, where it is a rerun. */
  readonly rerun?: Rerun | undefined;
}

/** Reads the records of the start and the end of a call. Throws when the store does. */
export async function readRecords(
  store: Store,
  tenant: string,
  key: string,
): Promise<readonly [start: StoredRecord | undefined, end: StoredRecord | undefined]> {
  const read = (space: string) => demand(() => store.get({ space, tenant, key }));
  return Promise.all([read('call'), read('call-end')]);
}

/** Reads a call. Throws when the store does, or holds what cannot be read here. */
export async function readCall(store: Store, tenant: string, key: string): Promise<JournalEntry | undefined> {
  const [start, end] = await readRecords(store, tenant, key);
  return start && { key, start: sound(readStart(start)), end: end && sound(readEnd(end)) };
}

/** Believes a record only if it holds the event of its space. */
export function readStart({ value }: StoredRecord): StoredStart | undefined {
  const start = (value ?? {}) as unknown as Partial<StoredStart>;
  return start.v === 1 && start.event?.type === 'call-start' && typeof start.owner === 'string' ? (start as StoredStart) : undefined;
}

/** Believes a record only if it holds the event of its space. */
export function readEnd({ value }: StoredRecord): StoredEnd | undefined {
  const end = (value ?? {}) as unknown as Partial<StoredEnd>;
  return end.v === 1 && end.event?.type === 'call-end' && isStoredOutcome(end.event.outcome) ? (end as StoredEnd) : undefined;
}

/** What became of a record that must not have been there yet: it is written, another one is there, or the store did not answer. */
export type Written =
  | { readonly is: 'written'; readonly version: number }
  | { readonly is: 'taken'; readonly current: StoredRecord | undefined }
  | { readonly is: 'hidden'; readonly why: string };

/** Writes a record that must not be there yet, or that is there in a certain version. */
export async function writeNew(store: Store, record: RecordDraft, ask: Ask, expect = 0): Promise<Written> {
  const answer = await ask(() => store.put(record, expect));
  if (!answer.ok) return { is: 'hidden', why: answer.why };
  if (answer.value?.ok === true) return { is: 'written', version: answer.value.version };
  return answer.value?.ok === false
    ? { is: 'taken', current: answer.value.current }
    : { is: 'hidden', why: 'the store did not say whether it wrote' };
}

/** Who writes the end of a call: the process that began it, or one that goes on with it after it was cut off, slept or waited. */
export type EndWriter = 'first' | 'follower';

/**
 * Writes the end of a call. The first one stays, unless it only says that the end is not known. That the call waits is replaced by a follower
 * alone: where the process that began it finds this, others have taken the call over.
 */
export async function writeEnd(store: Store, record: RecordDraft, by: EndWriter, ask: Ask = askStore): Promise<Written> {
  const written = await writeNew(store, record, ask);
  if (written.is !== 'taken' || written.current === undefined) return written;
  const current = readEnd(written.current)?.event.outcome;
  const mine = (record.value as unknown as StoredEnd).event.outcome;
  const mayReplace = (by === 'follower' && current?.status === 'pending') || (isGuess(current) && !isGuess(mine));
  return mayReplace ? writeNew(store, record, ask, written.current.version) : written;
}

/** Asks a store, and throws where it fails or does not answer: a run must not go on from half a journal. */
export const demand = demandOf('The journal');

/** Lists the calls of a run in the order in which they began. Throws when the store does, or holds what cannot be read here. */
export async function readRun(store: Store, tenant: string, runId: string): Promise<JournalEntry[]> {
  const list: Store['list'] = (query) => demand(() => store.list(query));
  const ends = new Map(
    (await listAll(list, { space: 'call-end', tenant, group: runId })).map((record) => [record.key, sound(readEnd(record))]),
  );
  return (await listAll(list, { space: 'call', tenant, group: runId })).flatMap((record) => {
    const start = sound(readStart(record));
    return start.repeats !== undefined ? [] : [{ key: record.key, start, end: ends.get(record.key) }];
  });
}

/** Takes what was read. A call left out would look as if it had never been made, and one without its end as if it had been cut off. */
export function sound<TValue>(read: TValue | undefined): TValue {
  if (read === undefined) throw new Error('The journal cannot be read: the store holds a call that cannot be read here.');
  return read;
}

/** Cuts the arguments in the start of a call: callers choose how long they are. */
export function cutInput(event: EventOf<'call-start'>, maxChars: number): EventOf<'call-start'> {
  const input = cutJson(event.input, maxChars, []) as EventOf<'call-start'>['input'];
  return input === event.input ? event : { ...event, input };
}
