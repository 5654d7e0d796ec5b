import type { ListedCall, RecordedCall } from '../../ports/index.ts';
import { createBoundedMap } from '../../time/index.ts';
import { ifReadable } from '../store/stored-outcome.ts';
import type { CallFilter, CallPage } from './call-filter.ts';

/** The source of a feed. */
export interface FeedSource {
  readonly list: (filter: CallFilter) => Promise<CallPage>;
  readonly get: (id: string) => Promise<RecordedCall | undefined>;
  readonly now: () => number;
}

/** Clocks differ, and a record is written a little after its call began: so far back each look reaches. */
const overlapMs = 5_000;
/** A client that comes back learns of calls that ended meanwhile, if they began at most this long before it left. */
const lookBackMs = 900_000;
/** How many calls are read after a client has come back, and remembered as sent. */
const maxCalls = 10_000;
/** How many calls that began long ago are looked at each time. Those that wait may do so for days, so fewer of them. */
const maxOld = { running: 50, pending: 10 };

/** The result of a look: calls that have begun or ended, in order of time, and running calls that have reported progress. */
export interface FeedLook {
  readonly changed: readonly ListedCall[];
  readonly moved: readonly ListedCall[];
}

/** Where a reader of the feed stands: calls are in the order of the time of their last change, those of one millisecond in that of their ids. */
export interface FeedPlace {
  readonly at: number;
  /** The id of the last call that the reader got, in characters that a header takes. Without it the reader got none, and begins at that time. */
  readonly id?: string | undefined;
}

/**
 * Gives what has happened since the last look. The first look reaches back to `since`: it gives what comes after that place, and then again what
 * changed shortly before it, because a record may be written later than that of a newer change.
 */
export function createCallFeed({ list, get, now }: FeedSource, since: FeedPlace | undefined): () => Promise<FeedLook> {
  const sent = createBoundedMap<string>({ maxEntries: maxCalls, now });
  const reported = createBoundedMap<string>({ maxEntries: maxCalls, now });
  const open = { running: new Map<string, number>(), pending: new Map<string, number>() };
  let lastLook = since?.at ?? now();
  let isFirst = true;

  /** Of those that run or wait since long before, the end is reported too. */
  async function readFirst(from: number): Promise<readonly ListedCall[]> {
    const { calls: waitingCalls } = await list({ status: ['running', 'pending'], until: from, limit: 1000 });
    return [...waitingCalls, ...(await read(from))];
  }

  async function read(from: number): Promise<readonly ListedCall[]> {
    const listed: ListedCall[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ since: from, limit: 1000, cursor });
      listed.push(...page.calls);
      cursor = page.next;
    } while (cursor !== undefined && listed.length < maxCalls);
    return listed.reverse();
  }

  /** Those that ran or waited at the last look, and began before this one reaches. */
  async function readOld(status: keyof typeof open, from: number): Promise<readonly ListedCall[]> {
    const calls = open[status];
    const places = [...calls].filter(([, begunAt]) => begunAt < from).slice(0, maxOld[status]);
    const current = await Promise.all(places.map(([id]) => ifReadable(get(id))));
    for (const [at, [id, begunAt]] of places.entries()) {
      // Where there are many, the next look takes the others.
      calls.delete(id);
      if (current[at] !== undefined) calls.set(id, begunAt);
    }
    return current.flatMap((call) => {
      if (call === undefined) return [];
      return [toListed(call)];
    });
  }

  function isNew(call: ListedCall): boolean {
    // A call that waits may go on, and wait again, between two looks.
    const standing = `${call.status} ${changedAt(call)}`;
    if (sent.get(call.id) === standing) return false;
    sent.set(call.id, standing, Number.POSITIVE_INFINITY);
    open.running.delete(call.id);
    open.pending.delete(call.id);
    const { status } = call;
    if ((status === 'running' || status === 'pending') && call.lost !== true && open[status].size < maxCalls) {
      open[status].set(call.id, Date.parse(call.begunAt));
    }
    return true;
  }

  function hasMoved({ id, progress }: ListedCall): boolean {
    if (progress === undefined || reported.get(id) === progress.at) return false;
    reported.set(id, progress.at, Number.POSITIVE_INFINITY);
    return true;
  }

  function missed(fresh: readonly ListedCall[], { at, id }: FeedPlace): readonly ListedCall[] {
    if (id === undefined) return fresh.filter((call) => changedAt(call) >= at);
    const isAfter = (call: ListedCall): boolean => comparePlaces(placeOf(call), { at, id }) > 0;
    return [...fresh.filter(isAfter), ...fresh.filter((call) => !isAfter(call) && changedAt(call) >= at - overlapMs)];
  }

  return async () => {
    const look = now();
    const from = isFirst ? lastLook - lookBackMs : lastLook - overlapMs;
    const listed = isFirst
      ? await readFirst(from)
      : [...(await readOld('running', from)), ...(await readOld('pending', from)), ...(await read(from))];
    const newCalls = listed.filter(isNew).sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
    const changed = isFirst ? missed(newCalls, since ?? { at: look }) : newCalls;
    isFirst = false;
    lastLook = look;
    return { changed, moved: listed.filter(hasMoved) };
  };
}

/** Leaves out what no list shows. */
function toListed(call: RecordedCall): ListedCall {
  const { input, isWhole, outcome, modelText, pending, approval, questions, isCancelled, cancelledBy, expiresAt, trace, ...listed } = call;
  return listed;
}

/** Gives the place of a reader that got this call last. */
export function placeOf(call: ListedCall): Required<FeedPlace> {
  return { at: changedAt(call), id: encodeURIComponent(call.id.toWellFormed()) };
}

/** Compares two places: below zero where the first is the earlier one. */
export function comparePlaces(a: FeedPlace, b: FeedPlace): number {
  const [first = '', second = ''] = [a.id, b.id];
  return a.at - b.at || Number(first > second) - Number(first < second);
}

/** When a call last changed, in epoch milliseconds. */
export function changedAt({ begunAt, endedAt }: ListedCall): number {
  return Date.parse(endedAt ?? begunAt);
}
