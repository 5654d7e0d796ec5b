import type { Pending } from '../../outcome/index.ts';
import type { GuardedCall, RecordKey, Store } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';
import { secondLookMs } from '../journal/owner-lease.ts';
import { askFor, askStore } from '../store-access/ask-store.ts';
import { argumentsOf, loadFingerprints } from '../store-access/fingerprint.ts';
import { pendingKey, readPendingCall, seemsLost } from '../store-access/pending-calls.ts';

/** Gives what equal calls have in common: user, run, session or conversation, tool and arguments. Undefined where a call belongs to none of these. */
export async function fingerprintDeferred(store: Store, call: GuardedCall): Promise<string | undefined> {
  const { userId, runId, sessionId, conversationId } = call.context;
  if ((runId ?? sessionId ?? conversationId) === undefined) return undefined;
  const prints = await loadFingerprints(store, askFor(call, store));
  return prints.ok ? prints.value.of([userId, runId, sessionId, conversationId, call.tool.name, argumentsOf(call)]) : undefined;
}

/** Remembers a deferred call until it ends, for those that are equal to it. A store that fails costs only that. */
export async function rememberDeferred(store: Store, call: GuardedCall, print: string, pending: Pending, keptMs: number): Promise<void> {
  const at = placeOf(call, print);
  const record = { ...at, value: { v: 1, handle: pending.handle }, expiresAt: Date.now() + keptMs };
  const written = await askFor(call, store)(() => store.put(record));
  if (written.ok) call.onEnd(() => void askStore(() => store.remove(at, written.value.ok ? written.value.version : undefined)));
}

/** Finds a deferred call that is equal, has not ended, and is not lost. */
export async function findDeferred(store: Store, call: GuardedCall, print: string): Promise<Pending | undefined> {
  const ask = askFor(call, store);
  const found = await ask(() => store.get(placeOf(call, print)));
  const { v, handle } = ((found.ok ? found.value?.value : undefined) ?? {}) as { readonly v?: unknown; readonly handle?: unknown };
  if (v !== 1 || typeof handle !== 'string') return undefined;
  for (let looks = 0; looks < 2; looks += 1) {
    if (looks > 0) await sleep(secondLookMs, call.signal);
    const answer = await ask(() => store.get(pendingKey(call.tenantId, handle)));
    const deferred = answer.ok ? readPendingCall(answer.value) : undefined;
    if (deferred === undefined || deferred.outcome !== undefined) return undefined;
    const lost = await ask(() => seemsLost(store, call.tenantId, deferred));
    if (!lost.ok || !lost.value) return lost.ok ? deferred.pending : undefined;
  }
  return undefined;
}

function placeOf({ tenantId }: GuardedCall, print: string): RecordKey {
  return { space: 'deferred', tenant: tenantId, key: print };
}
