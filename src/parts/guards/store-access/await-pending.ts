import type { Outcome } from '../../../core/outcome/index.ts';
import type { Store } from '../../../core/runtime/index.ts';
import { createBoundedMap, sleep } from '../../../core/time/index.ts';
import { askStore, type StoreAnswer } from './ask-store.ts';
import { isLost, type PendingCall, pendingKey, readPendingCall, withProgress } from './pending-calls.ts';

/** What became of a pending call while it was waited for. */
export type Awaited =
  | { readonly is: 'ended'; readonly call: PendingCall; readonly outcome: Outcome }
  /** Its process died. */
  | { readonly is: 'lost'; readonly call: PendingCall }
  /** Still pending, with its progress. */
  | { readonly is: 'waiting'; readonly call: PendingCall }
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly why: string };

/** Which call is waited for, and how long. */
export interface AwaitPending {
  readonly tenant: string;
  readonly handle: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

type Look = Promise<StoreAnswer<{ readonly call: PendingCall | undefined; readonly lost: boolean }>>;

const longestPauseMs = 500;
/** Those who wait for one call share a look at the store that is no older than this. */
const sharedMs = 250;
const mostShared = 10_000;
const shared = new WeakMap<Store, ReturnType<typeof createBoundedMap<Look>>>();

/** Waits until a pending call has its outcome. The first look is always fresh; later ones are shared, and survive a store that fails for a while. */
export async function awaitPending(store: Store, asked: AwaitPending): Promise<Awaited> {
  const { tenant, timeoutMs, signal } = asked;
  const until = performance.now() + timeoutMs;
  let answer = await look(store, asked);
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { call, lost } = answer.ok ? answer.value : { call: undefined, lost: false };
    if (answer.ok && call === undefined) return { is: 'unknown' };
    if (call?.outcome !== undefined) return { is: 'ended', call, outcome: call.outcome };
    if (call !== undefined && lost) return { is: 'lost', call };
    const left = until - performance.now();
    const isOver = !(left > 0) || signal.aborted;
    if (!answer.ok && (isOver || pauseMs === 10)) return { is: 'unreadable', why: answer.why };
    if (call !== undefined && isOver) return { is: 'waiting', call: await withProgress(store, tenant, call) };
    await sleep(Math.min(pauseMs, left), signal);
    answer = await lookTogether(store, asked);
  }
}

function look(store: Store, { tenant, handle, now }: AwaitPending): Look {
  return askStore(async () => {
    const call = readPendingCall(await store.get(pendingKey(tenant, handle)));
    return { call, lost: call !== undefined && call.outcome === undefined && (await isLost(store, call, now())) };
  });
}

function lookTogether(store: Store, asked: AwaitPending): Look {
  const looks = shared.get(store) ?? createBoundedMap<Look>({ maxEntries: mostShared, now: () => performance.now() });
  shared.set(store, looks);
  const key = JSON.stringify([asked.tenant, asked.handle]);
  const known = looks.get(key);
  if (known !== undefined) return known;
  const begun = look(store, asked);
  looks.set(key, begun, performance.now() + sharedMs);
  return begun;
}
