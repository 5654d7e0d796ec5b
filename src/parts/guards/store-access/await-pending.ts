import type { Outcome } from '../../../core/outcome/index.ts';
import type { Store } from '../../../core/runtime/index.ts';
import { approvalRecords } from '../approvals/approval-records.ts';
import { secondLookMs } from '../journal/owner-lease.ts';
import { askStore, type StoreAnswer } from './ask-store.ts';
import { type PendingCall, pendingKey, readPendingCall, seemsLost, withProgress } from './pending-calls.ts';
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

/** Which call is waited for, and how long. */
export interface AwaitPending {
  readonly tenant: string;
  readonly handle: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Look = Promise<StoreAnswer<{ readonly call: PendingCall | undefined; readonly lost: boolean }>>;

/** Hints can get lost, so each call is looked at so often all the same; and so soon again after a look that failed. */
export const ownLookMs = 30_000;
const retryMs = 1_000;

/**
 * Waits until a pending call has its outcome. The first look is always fresh; later ones come with a change, and survive a store that fails for
 * a while. For the second look at a call that seems lost it takes longer than asked.
 */
export async function awaitPending(store: Store, asked: AwaitPending): Promise<Awaited> {
  const { tenant, handle, timeoutMs, signal } = asked;
  const until = performance.now() + timeoutMs;
  const watch = watchChanges(store, tenant, handle);
  try {
    let answer = await look(store, asked);
    let lostAt: number | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const { call, lost } = answer.ok ? answer.value : { call: undefined, lost: false };
      if (answer.ok && call === undefined) return { is: 'unknown' };
      if (call?.outcome !== undefined) return { is: 'ended', call, outcome: call.outcome };
      const now = performance.now();
      const left = until - now;
      const isOver = !(left > 0) || signal.aborted;
      lostAt = lost ? (lostAt ?? now) : undefined;
      const doubtMs = lostAt === undefined ? 0 : lostAt + secondLookMs - now;
      if (call !== undefined && lost && !(doubtMs > 0)) return { is: 'lost', call };
      if (!answer.ok && (isOver || isFirst)) return { is: 'unreadable', why: answer.why };
      if (call !== undefined && isOver && (!lost || signal.aborted)) {
        return { is: 'waiting', call: await withProgress(store, tenant, call), isApproved: await isApproved(store, tenant, call) };
      }
      watch.follow(call?.owner);
      await watch.next(lost ? doubtMs : Math.min(answer.ok ? ownLookMs : retryMs, left), signal);
      answer = await watch.share(() => look(store, asked));
    }
  } finally {
    watch.end();
  }
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
