import { type CallQuery, type CallSupply, type ListedCall, untilWritten } from '../../ports/index.ts';
import { createBoundedMap, sleep, systemClock } from '../../time/index.ts';
import { demandOf } from '../store/ask-store.ts';
import { changesOf } from '../store/changes.ts';
import { ledgerOf } from '../store/ledger-of.ts';
import { ifReadable } from '../store/stored-outcome.ts';
import { toListed } from './recorded-call.ts';

/** What happens to the calls of a tenant, look by look. */
export interface CallFeed {
  /** Returns what has happened since the last look. Rejects when the store does not answer; the next look then finds that, too. */
  readonly look: () => Promise<FeedLook>;
  /** Waits until another look may find something. */
  readonly next: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Clocks differ, and a record is written a little after its call began: so far back each look reaches. */
const overlapMs = 5_000;
/** A client that comes back learns of calls that ended meanwhile, if they began at most this long before it left. */
const lookBackMs = 900_000;
/** How many calls are read after a client has come back, and remembered as sent. */
const maxCalls = 10_000;
/** How many calls that began long ago are read by one look. */
const maxOld = 100;
/** Pauses between two looks: changes of a moment are read together. A store need not tell that a call began, so it is asked now and then. */
const pauseMs = { least: 250, most: 1_000 };

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
 * Follows the calls of a tenant. The first look reaches back to `since`: it gives what comes after that place, and then again what changed shortly
 * before it, because a record may be written later than that of a newer change.
 */
export function createCallFeed({ store, tenant }: Pick<CallSupply, 'store' | 'tenant'>, since?: FeedPlace): CallFeed {
  const ledger = ledgerOf(store);
  const demand = demandOf('The calls');
  const changes = changesOf(store);
  const { now } = systemClock;
  const sent = createBoundedMap<string>({ maxEntries: maxCalls, now });
  const reported = createBoundedMap<string>({ maxEntries: maxCalls, now });
  /** Calls that ran or waited when they were read last, each with the function that stops following it. */
  const open = new Map<string, () => void>();
  const changedIds = new Set<string>();
  let lastLook = since?.at ?? now();
  let isFirst = true;
  let isHinted = false;
  let wake = (): void => undefined;
  const hear = (id?: string): void => {
    isHinted = true;
    if (id !== undefined) changedIds.add(id);
    wake();
  };
  const stopWatch = ledger.watch((at) => {
    if (at === undefined || at.tenant === tenant) hear();
  });

  async function read(query: Pick<CallQuery, 'status' | 'since' | 'until'>): Promise<readonly ListedCall[]> {
    const listed: ListedCall[] = [];
    let cursor: string | undefined;
    do {
      const page = await demand(() => ledger.list({ ...query, tenant, limit: 1000, cursor }));
      listed.push(...page.rows.map(toListed));
      cursor = page.next;
    } while (cursor !== undefined && listed.length < maxCalls);
    return listed.reverse();
  }

  /** Those that began before this look reaches, as far as they have changed: at first all that run or wait. */
  async function readOld(from: number, ids: readonly string[]): Promise<readonly ListedCall[]> {
    if (isFirst) return read({ status: ['pending', 'running'], until: from });
    const current = await Promise.all(ids.map((id) => ifReadable(demand(() => ledger.get(tenant, id)))));
    return current.flatMap((call, at) => {
      if (call !== undefined) return [toListed(call)];
      leave(ids[at] ?? '');
      return [];
    });
  }

  function leave(id: string): void {
    open.get(id)?.();
    open.delete(id);
  }

  function follow({ id, status }: ListedCall): void {
    if (status !== 'running' && status !== 'pending') leave(id);
    else if (!open.has(id) && open.size < maxCalls) {
      open.set(
        id,
        changes.follow({ tenant, id }, () => hear(id)),
      );
      // It may have changed since it was read.
      changedIds.add(id);
    }
  }

  function isNew(call: ListedCall): boolean {
    // A call that waits may go on, and wait again, between two looks.
    const standing = `${call.status} ${changedAt(call)}`;
    if (sent.get(call.id) === standing) return false;
    sent.set(call.id, standing, Number.POSITIVE_INFINITY);
    follow(call);
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

  return {
    async look() {
      const at = now();
      const from = lastLook - (isFirst ? lookBackMs : overlapMs);
      isHinted = false;
      // One that changes while it is read is read again by the next look.
      const changedBefore = new Set(changedIds);
      changedIds.clear();
      let listed: readonly ListedCall[];
      try {
        await untilWritten(store);
        const recent = await read({ since: from });
        for (const { id } of recent) changedBefore.delete(id);
        const ids = [...changedBefore];
        for (const id of ids.slice(maxOld)) changedIds.add(id);
        listed = [...(await readOld(from, ids.slice(0, maxOld))), ...recent];
      } catch (error) {
        for (const id of changedBefore) changedIds.add(id);
        throw error;
      }
      const newCalls = listed.filter(isNew).sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
      const changed = isFirst ? missed(newCalls, since ?? { at }) : newCalls;
      isFirst = false;
      lastLook = at;
      return { changed, moved: listed.filter(hasMoved) };
    },
    async next(signal) {
      await sleep(pauseMs.least, signal);
      if (isHinted || changedIds.size > 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        void sleep(pauseMs.most - pauseMs.least, signal).then(resolve);
      });
    },
    close() {
      stopWatch();
      for (const stop of open.values()) stop();
    },
  };
}

/** Returns the place of a reader that got this call last. */
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
