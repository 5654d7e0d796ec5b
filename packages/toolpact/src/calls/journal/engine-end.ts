import { noTenant } from '../../contract/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { GuardedToolbox, Store } from '../../ports/index.ts';
import { readCall } from './journal-records.ts';
import type { Resume } from './resume.ts';

/** Gives how a call ended on an engine; undefined where it has not ended, or no engine knows it. */
export type EngineEnd = (tenant: string, key: string, handle: string) => Promise<Outcome | undefined>;

/** Makes what asks the engine of a toolbox about a call that was pending when it was recorded. Its end is recorded, so that it is asked once. */
export function createEngineEnd(toolbox: GuardedToolbox, store: Store, conclude: Resume['conclude']): EngineEnd {
  return async (tenant, key, handle) => {
    if (tenant !== (toolbox.context.tenantId ?? noTenant)) return undefined;
    const outcome = (await toolbox.inner.findPending?.(handle).catch(() => undefined))?.outcome;
    if (outcome === undefined || outcome.status === 'pending') return undefined;
    const entry = await readCall(store, tenant, key);
    if (entry !== undefined) await conclude(entry, tenant, outcome);
    return outcome;
  };
}
