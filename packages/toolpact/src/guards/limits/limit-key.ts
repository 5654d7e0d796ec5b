import { noTenant } from '../../contract/index.ts';
import { refuseOption } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';

/** Whose calls are counted together: those of one tool and tenant, of one tenant, of one tool, or those for which a function gives the same text. */
export type LimitBy = 'tool-and-tenant' | 'tenant' | 'tool' | ((call: GuardedCall) => string);

/** Where a count is kept. */
export interface LimitKey {
  readonly tenant: string;
  readonly key: string;
}

/** Creates the function that gives the key under which a call is counted; it gives undefined when the caller's own function fails. */
export function createLimitKey(guard: string, by: LimitBy): (call: GuardedCall) => LimitKey | undefined {
  const named = typeof by === 'function' ? undefined : keys[by];
  if (typeof by !== 'function' && named === undefined) refuseOption(guard, 'by', `a function or one of ${Object.keys(keys).join(', ')}`);
  return (call) => {
    if (typeof by !== 'function') return named?.(call);
    try {
      const key: unknown = by(call);
      return typeof key === 'string' ? { tenant: call.tenantId, key: `by:${key}` } : undefined;
    } catch {
      return undefined;
    }
  };
}

const keys: Readonly<Record<Exclude<LimitBy, (call: GuardedCall) => string>, (call: GuardedCall) => LimitKey>> = {
  'tool-and-tenant': ({ tool, tenantId }) => ({ tenant: tenantId, key: `tool:${tool.name}` }),
  tenant: ({ tenantId }) => ({ tenant: tenantId, key: 'all' }),
  // The counter for all tenants is stored under no tenant.
  tool: ({ tool }) => ({ tenant: noTenant, key: `tool-of-all:${tool.name}` }),
};
