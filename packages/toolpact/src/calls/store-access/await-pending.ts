import type { Outcome } from '../../outcome/index.ts';
import type { Awaitable, Store } from '../../ports/index.ts';
import { createBoundedMap } from '../../time/index.ts';
import { approvalRecords } from '../approvals/approval-records.ts';
import { secondLookMs } from '../journal/owner-lease.ts';
import { askStore, type StoreAnswer } from './ask-store.ts';
import { maxHandles, nextHandle, type PendingCall, pendingKey, readPendingCall, seemsLost, withProgress } from './pending-calls.ts';
import { watchChanges } from './pending-changes.ts';

/** What became of a pending call while it was waited for. */
export type Awaited =
  | { readonly is: 'ended'; readonly call: PendingCall; readonly outcome: Outcome }
  /** Its process died. */
  | { readonly is: 'lost'; readonly call: PendingCall }
  /** Still pending, with its progress. */
  | { readonly is: 'waiting'; readonly call: PendingCall; readonly isApproved: boolean }
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly why: string };

/** How long a pending call is waited for. */
export interface WaitOptions {
  /** @default 30_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Goes on beyond its time, for at most 3 s, where the process of the call seems to have died: a second look makes it sure. Without this, the
   * second look is that of the next wait in this process. @default false
   */
  readonly untilSure?: boolean;
}

/** Which call is waited for, and how long. */
export interface AwaitPending {
  readonly tenant: string;
  readonly handle: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly untilSure?: boolean | undefined;
}

type Look = Awaitable<StoreAnswer<{ readonly call: PendingCall | undefined; readonly lost: boolean }>>;

/** How often each call is looked at without a hint, because hints can get lost; and how soon after a look that failed. */
export const ownLookMs = 30_000;
const retryMs = 1_000;

/** Since when calls seem lost, for each store. A reader may wait shorter than until the second look, and find out when it asks again. */
const suspects = new WeakMap<Store, ReturnType<typeof createBoundedMap<number>>>();
const maxSuspects = 10_000;
const suspectMs = 3_600_000;

/**
 * Waits until a pending call has its outcome. The first look is always fresh; later ones come with a change, and survive a store that fails for
 * a while. A call that seems lost is taken for lost at a second look, in this wait or in a later one. One that goes on under another handle is
 * waited for there.
 */
export async function awaitPending(store: Store, asked: AwaitPending): Promise<Awaited> {
  const until = performance.now() + asked.timeoutMs;
  let found = await awaitOne(store, asked);
  for (let handles = 1; handles < maxHandles && found.is === 'ended'; handles += 1) {
    const handle = nextHandle(found.call);
    if (handle === undefined) break;
    const next = await awaitOne(store, { ...asked, handle, timeoutMs: Math.max(0, until - performance.now()) });
    if (next.is === 'unknown') break;
    found = next;
  }
  return found;
}

async function awaitOne(store: Store, asked: AwaitPending): Promise<Awaited> {
  const { tenant, handle, timeoutMs, signal, untilSure = false } = asked;
  const until = performance.now() + timeoutMs;
  const watch = watchChanges(store, tenant, handle);
  try {
    let answer = await look(store, asked);
    for (let isFirst = true; ; isFirst = false) {
      const { call, lost } = answer.ok ? answer.value : { call: undefined, lost: false };
      if (answer.ok && call === undefined) return { is: 'unknown' };
      if (call?.outcome !== undefined) return { is: 'ended', call, outcome: call.outcome };
      const now = performance.now();
      if (call !== undefined && !lost) suspects.get(store)?.delete(keyOf(asked));
      const doubtMs = lost ? seemedLostAt(store, asked, now) + secondLookMs - now : 0;
      const left = Math.max(until - now, untilSure ? doubtMs : 0);
      const isOver = !(left > 0) || signal.aborted;
      if (call !== undefined && lost && !(doubtMs > 0)) return { is: 'lost', call };
      if (!answer.ok && (isOver || isFirst)) return { is: 'unreadable', why: answer.why };
      if (call !== undefined && isOver) {
        return { is: 'waiting', call: await withProgress(store, tenant, call), isApproved: await isApproved(store, tenant, call) };
      }
      watch.follow(call?.owner);
      await watch.next(Math.min(lost ? doubtMs : answer.ok ? ownLookMs : retryMs, left), signal);
      answer = await watch.share(() => look(store, asked));
    }
  } finally {
    watch.end();
  }
}

/** Notes that a call seems lost, and gives since when. */
function seemedLostAt(store: Store, asked: AwaitPending, now: number): number {
  const noted = suspects.get(store) ?? createBoundedMap<number>({ maxEntries: maxSuspects, now: () => performance.now() });
  suspects.set(store, noted);
  const since = noted.get(keyOf(asked)) ?? now;
  noted.set(keyOf(asked), since, now + suspectMs);
  return since;
}

function keyOf({ tenant, handle }: AwaitPending): string {
  return `${tenant}/${handle}`;
}

function look(store: Store, { tenant, handle }: AwaitPending): Look {
  return askStore(async () => {
    const call = readPendingCall(await store.get(pendingKey(tenant, handle)));
    return { call, lost: call !== undefined && call.outcome === undefined && (await seemsLost(store, tenant, call)) };
  });
}

/** An approved call that has not been made again still waits, but not for a person. */
async function isApproved(store: Store, tenant: string, { pending }: PendingCall): Promise<boolean> {
  if (pending.reason !== 'approval') return false;
  const answer = await askStore(() => approvalRecords(store, tenant).get(pending.handle));
  return answer.ok && answer.value?.approval.state === 'approved';
}
