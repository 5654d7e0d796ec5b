import type { Outcome, Pending } from '../../outcome/index.ts';
import type { Store, StoredCall } from '../../ports/index.ts';
import { systemClock } from '../../time/index.ts';
import { approvalOf } from '../approvals/approval-question.ts';
import { readProgress } from '../run/keep-progress.ts';
import { askStore } from '../store/ask-store.ts';
import { changesOf } from '../store/changes.ts';
import { ledgerOf } from '../store/ledger-of.ts';
import { hasSoundOutcome } from '../store/stored-outcome.ts';
import { workersName } from '../store/workers-name.ts';

/** The state of a call that was waited for. */
export type Awaited =
  | { readonly is: 'ended'; readonly call: StoredCall; readonly outcome: Outcome }
  /** Its process died, and no worker looks after the calls of its store. */
  | { readonly is: 'lost'; readonly call: StoredCall }
  /** Still pending, with its progress. */
  | { readonly is: 'waiting'; readonly call: StoredCall; readonly pending: Pending; readonly isApproved: boolean }
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly why: string };

/** Which call is waited for, and how long. */
export interface AwaitCall {
  readonly tenant: string;
  readonly handle: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How soon a store that failed is asked again. */
const retryMs = 1_000;

/** Waits until a call has its outcome, from whichever process. Survives a store that fails for a while, but not at the first look. */
export async function awaitCall(store: Store, { tenant, handle, timeoutMs, signal }: AwaitCall): Promise<Awaited> {
  const ledger = ledgerOf(store);
  const changes = changesOf(store);
  const until = systemClock.monotonic() + timeoutMs;
  let lastCall: StoredCall | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const answer = await askStore(() => ledger.get(tenant, String(handle)));
    const leftMs = until - systemClock.monotonic();
    const isOver = !(leftMs > 0) || signal.aborted;
    if (!answer.ok) {
      if (isFirst || isOver || lastCall === undefined) return { is: 'unreadable', why: answer.why };
      await changes.next(lastCall, Math.min(retryMs, leftMs), signal);
      continue;
    }
    const call = answer.value;
    if (call === undefined) return { is: 'unknown' };
    if (!hasSoundOutcome(call)) return { is: 'unreadable', why: 'the store gave a call that cannot be read here' };
    lastCall = call;
    const outcome = endOf(call);
    if (outcome !== undefined) return { is: 'ended', call, outcome };
    if (call.isDead && !(await hasWorkers(store))) return { is: 'lost', call };
    if (isOver) return { is: 'waiting', call, pending: pendingOf(call), isApproved: approvalOf(call)?.state === 'approved' };
    await changes.next(call, leftMs, signal);
  }
}

/** Returns how a call ended; undefined while it runs or waits. */
export function endOf({ stage, outcome }: StoredCall): Outcome | undefined {
  return stage === 'ended' ? outcome : undefined;
}

/** Says what a call waits for. */
export function pendingOf({ outcome, stage, handle, progress }: StoredCall): Pending {
  if (stage === 'waiting' && outcome?.status === 'pending') return outcome.pending;
  const { message, percent } = readProgress(progress) ?? {};
  const reported = { ...(message !== undefined && { message }), ...(percent !== undefined && { percent }) };
  return { handle, reason: 'running', pollAfterMs: 1000, ...(Object.keys(reported).length > 0 && { progress: reported }) };
}

/** Checks whether a worker looks after the calls of a store. Where the store does not say, it is taken to. */
async function hasWorkers(store: Store): Promise<boolean> {
  const answer = await askStore(() => ledgerOf(store).isAlive(workersName));
  return !answer.ok || answer.value;
}
