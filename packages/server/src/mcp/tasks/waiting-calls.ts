import type { Outcome } from 'toolpact';
import { createBoundedMap } from 'toolpact/internal';

/** A call that can be made once more. */
export interface RepeatableCall {
  readonly args: unknown;
  /** Makes it for the caller who made it first, without the request that it came with: an approval counts for that caller only. Never rejects. */
  readonly again: (signal: AbortSignal) => Promise<Outcome>;
}

/** Keeps calls that wait for a person, to make them once they are approved. */
export interface WaitingCalls {
  /** Keeps a call of a tenant. One that has its share makes room among its own calls. */
  readonly keep: (tenant: string, handle: string, call: RepeatableCall, expiresAt: number) => void;
  /** Creates an approved call. Its outcome is stored with the task by the guard that asked. */
  readonly goOn: (handle: string) => void;
  /** Forgets a call, and stops it where it was made. */
  readonly stop: (handle: string) => void;
}

/** How many calls, and characters of arguments, are kept in all and for one tenant. */
const most = { calls: 1_000, characters: 16_000_000 };
const maxOfTenant = { calls: 100, characters: 4_000_000 };
/** The most tenants that are listed before those whose calls are gone are forgotten. */
const maxTenants = 2 * most.calls;

interface Kept {
  readonly handle: string;
  readonly characters: number;
}

/** Creates a store of waiting calls, in the memory of this process. */
export function createWaitingCalls(): WaitingCalls {
  const calls = createBoundedMap<RepeatableCall>({ maxEntries: most.calls, maxWeight: most.characters, now: Date.now });
  const tenants = new Map<string, readonly Kept[]>();
  const running = new Map<string, AbortController>();

  const stillKept = (kept: readonly Kept[] = []): Kept[] => kept.filter(({ handle }) => calls.get(handle) !== undefined);

  return {
    keep(tenant, handle, call, expiresAt) {
      const characters = JSON.stringify(call.args ?? null).length;
      const callsOfTenant = [...stillKept(tenants.get(tenant)).filter((kept) => kept.handle !== handle), { handle, characters }];
      const tooMany = (): boolean =>
        callsOfTenant.length > maxOfTenant.calls || callsOfTenant.reduce((sum, kept) => sum + kept.characters, 0) > maxOfTenant.characters;
      while (tooMany()) calls.delete(callsOfTenant.shift()?.handle ?? '');
      if (callsOfTenant.length > 0) calls.set(handle, call, expiresAt, characters);
      tenants.set(tenant, callsOfTenant);
      if (tenants.size <= maxTenants) return;
      for (const [name, kept] of tenants) if (stillKept(kept).length === 0) tenants.delete(name);
    },
    goOn(handle) {
      const call = calls.get(handle);
      calls.delete(handle);
      if (call === undefined) return;
      const stopping = new AbortController();
      running.set(handle, stopping);
      void call.again(stopping.signal).finally(() => running.delete(handle));
    },
    stop(handle) {
      calls.delete(handle);
      running.get(handle)?.abort(new DOMException('The task was cancelled.', 'AbortError'));
    },
  };
}
