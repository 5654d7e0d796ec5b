import { createBoundedMap } from '../../../core/time/index.ts';
import type { CallFilter, CallPage } from './call-list.ts';
import type { ListedCall, RecordedCall } from './listed-call.ts';

/** What a feed reads from. */
export interface FeedSource {
  readonly calls: (filter: CallFilter) => Promise<CallPage>;
  readonly findCall: (id: string) => Promise<RecordedCall | undefined>;
  readonly now: () => number;
}

/** Clocks differ, and a record is written a little after its call began: so far back each look reaches. */
const overlapMs = 5_000;
/** A client that comes back learns of calls that ended meanwhile, if they began at most so long before it left. */
const lookBackMs = 900_000;
/** So many calls are read after a client has come back, and remembered as sent. */
const mostCalls = 10_000;
/** So many calls that began long ago are looked at each time. */
const mostOld = 50;

/** What a look gives: calls that have begun or ended, in order of time, and running calls that have reported progress. */
export interface FeedLook {
  readonly changed: readonly ListedCall[];
  readonly moved: readonly ListedCall[];
}

/** Gives what has happened since the last look. The first look reaches back to `since`. */
export function createCallFeed({ calls, findCall, now }: FeedSource, since: number | undefined): () => Promise<FeedLook> {
  const sent = createBoundedMap<ListedCall['status']>({ maxEntries: mostCalls, now });
  const reported = createBoundedMap<string>({ maxEntries: mostCalls, now });
  const running = new Map<string, number>();
  let lastLook = since ?? now();
  let isFirst = true;

  async function read(from: number): Promise<readonly ListedCall[]> {
    const found: ListedCall[] = [];
    let cursor: string | undefined;
    do {
      const page = await calls({ since: from, limit: 1000, cursor });
      found.push(...page.calls);
      cursor = page.next;
    } while (cursor !== undefined && found.length < mostCalls);
    return found.reverse();
  }

  /** Those that still ran at the last look, and began before this one reaches. */
  async function readOld(from: number): Promise<readonly ListedCall[]> {
    const old = [...running].filter(([, begunAt]) => begunAt < from).slice(0, mostOld);
    const found = await Promise.all(old.map(([id]) => findCall(id)));
    return found.flatMap((call) => {
      if (call === undefined) return [];
      const { input: _, isWhole, outcome, modelText, trace, ...listed } = call;
      return [listed];
    });
  }

  function isNew(call: ListedCall): boolean {
    if (sent.get(call.id) === call.status) return false;
    sent.set(call.id, call.status, Number.POSITIVE_INFINITY);
    if (call.status === 'running' && call.lost !== true) running.set(call.id, Date.parse(call.begunAt));
    else running.delete(call.id);
    return true;
  }

  function hasMoved({ id, progress }: ListedCall): boolean {
    if (progress === undefined || reported.get(id) === progress.at) return false;
    reported.set(id, progress.at, Number.POSITIVE_INFINITY);
    return true;
  }

  return async () => {
    const look = now();
    const from = isFirst ? lastLook - lookBackMs : lastLook - overlapMs;
    const found = [...(isFirst ? [] : await readOld(from)), ...(await read(from))];
    const fresh = found.filter(isNew);
    const changed = isFirst ? fresh.filter((call) => changedAt(call) > (since ?? look)) : fresh;
    isFirst = false;
    lastLook = look;
    return { changed, moved: found.filter(hasMoved) };
  };
}

/** When a call last changed, in epoch milliseconds. */
export function changedAt({ begunAt, endedAt }: ListedCall): number {
  return Date.parse(endedAt ?? begunAt);
}
