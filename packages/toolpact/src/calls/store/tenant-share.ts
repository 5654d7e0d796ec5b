import { noTenant } from '../../contract/index.ts';
import { measureJson } from '../../json/index.ts';
import type { NewCall, Store } from '../../ports/index.ts';
import { createBoundedMap, systemClock } from '../../time/index.ts';
import { askStore } from './ask-store.ts';

/** Counts what is stored for each tenant, so that none fills the store that all share. Calls without a tenant share it with nobody. */
export interface TenantShare {
  readonly isUsed: (tenant: string) => boolean;
  /** Counts a call that has begun. */
  readonly addCall: (call: Pick<NewCall, 'tenant' | 'start' | 'args'>) => void;
  /** Counts a value that is stored. */
  readonly add: (tenant: string, value: unknown) => void;
}

interface Use {
  /** The known usage: of this process, and of all when the store was last asked. */
  chars: number;
  unsent: number;
}

const hourMs = 3_600_000;
/** The approximate size of a call without arguments and results. */
const smallestRecord = 500;

/** Creates the count of one toolbox. A process reports to the store after each hundredth of a share, so that the count costs next to nothing. */
export function createTenantShare(store: Store, maxChars: number): TenantShare {
  const now = systemClock.monotonic;
  const uses = createBoundedMap<Use>({ maxEntries: 10_000, now });

  async function report(tenant: string, use: Use): Promise<void> {
    const amount = use.unsent;
    use.unsent = 0;
    const total = await askStore(() => store.add({ space: 'calls-share', tenant, key: 'chars' }, amount, hourMs));
    if (total.ok && total.value.count > 0) use.chars = Math.max(use.chars, total.value.count + use.unsent);
    else use.unsent += amount;
  }

  function add(tenant: string, value: unknown): void {
    if (tenant === noTenant) return;
    const use = uses.get(tenant) ?? { chars: 0, unsent: 0 };
    if (use.chars === 0) uses.set(tenant, use, now() + hourMs);
    const counted = Math.min(smallestRecord + sizeOf(value, maxChars), maxChars);
    use.chars += counted;
    use.unsent += counted;
    if (use.unsent * 100 >= maxChars) void report(tenant, use);
  }

  return {
    isUsed: (tenant) => (uses.get(tenant)?.chars ?? 0) >= maxChars,
    addCall({ tenant, start, args }) {
      add(tenant, start);
      if (args !== undefined) add(tenant, args);
    },
    add,
  };
}

/** Counts the characters that are stored. Text that no provider takes, such as half of a surrogate pair, is stored like any other. */
function sizeOf(value: unknown, maxChars: number): number {
  const size = measureJson(value, maxChars);
  if (size <= maxChars) return size;
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return maxChars;
  }
}
