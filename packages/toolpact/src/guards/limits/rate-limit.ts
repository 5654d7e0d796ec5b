import { toStorableMs, type WhenStoreFails, whenStoreFailsRule } from '../../calls/index.ts';
import { noTenant } from '../../contract/index.ts';
import { assertPositive, type Outcome, refuseOptions } from '../../outcome/index.ts';
import type { Guard, GuardedCall, LimitState, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { windowWaitMs } from '../../time/index.ts';
import { addToLimit } from './add-to-limit.ts';
import { createKnownLimits } from './known-limits.ts';
import { createLimitKey, type LimitBy } from './limit-key.ts';
import { assertLimitStore, createProcessStore, type LimitStore } from './process-store.ts';

/** How many calls are let through. */
export interface RateLimitOptions {
  /** How many calls a window of time lets through. */
  readonly limit: number;
  /** @default 60_000 */
  readonly windowMs?: number;
  /** Limits of single tools. Such a tool is counted apart from the others; `Infinity` lets all of its calls through. */
  readonly tools?: Readonly<Record<string, number>>;
  /** Whose calls count together. @default 'tool-and-tenant' */
  readonly by?: LimitBy;
  /** Counts for all processes that share it. @default this process alone */
  readonly store?: Store;
  /** @default 'allow' */
  readonly whenStoreFails?: WhenStoreFails;
  readonly now?: () => number;
}

/**
 * Limits calls per window of time. Calls above the limit do not run; they are answered with `rate_limited` and the end of the window.
 * A call costs one atomic addition in the store. That is the whole algorithm, and no library's, because none can count in our stores.
 * No call needs the count in order to be right: while the store fails calls run with a warning, unless `whenStoreFails` is `refuse`.
 */
export function rateLimit(options: RateLimitOptions): Guard {
  refuseOptions<RateLimitOptions>('rateLimit', options, {
    limit: true,
    windowMs: true,
    tools: 'an object',
    by: true,
    store: true,
    whenStoreFails: whenStoreFailsRule,
    now: 'a function',
  });
  const { limit, tools = {}, by = 'tool-and-tenant', whenStoreFails = 'allow', now = Date.now } = options ?? {};
  const windowMs = toStorableMs(options?.windowMs ?? 60_000);
  assertPositive('rateLimit', {
    limit,
    windowMs,
    ...Object.fromEntries(Object.entries(tools).map(([name, own]) => [`tools.${name}`, own])),
  });
  assertLimitStore('rateLimit', options.store);
  const store: LimitStore = options.store ?? createProcessStore(now);
  const keyOf = createLimitKey('rateLimit', by);
  const known = createKnownLimits(now);

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const { name } = call.tool;
    const own = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const most = own ?? limit;
    if (most === Number.POSITIVE_INFINITY) return next();
    const at = keyOf(call);
    if (at === undefined)
      return call.refuse('not_configured', `The rate limit cannot count this call of ${name}: its \`by\` failed, or gave no text.`);
    const key = own === undefined ? at.key : `${at.key}/${name}`;
    const counted = await addToLimit(call, store, { space: 'rate', tenant: at.tenant, key }, 1, windowMs);
    if (!counted.ok) {
      if (whenStoreFails === 'refuse') {
        return call.refuse('not_ready', `${name} did not run because its calls cannot be counted now: ${counted.why}.`, {
          cause: counted.cause,
        });
      }
      call.warn(`the rate limit was not checked: ${counted.why}`);
      return next();
    }
    const isOfTool = own !== undefined || by === 'tool' || by === 'tool-and-tenant';
    known.note({ tenant: at.tenant, key, limit: most, until: now() + counted.value.leftMs, ...(isOfTool && { tool: name }) });
    const retryAfterMs = windowWaitMs(counted.value, { limit: most, windowMs });
    if (retryAfterMs === undefined) return next();
    return call.refuse(
      'rate_limited',
      `${name} may be called ${most} times in ${seconds(windowMs)}; this call is one too many and did not run.`,
      {
        retryAfterMs,
        effect: 'none',
      },
    );
  }

  async function limits({ tenantId }: { readonly tenantId: string }): Promise<readonly LimitState[]> {
    const isShared = by === 'tool';
    const counts = known.of(isShared ? noTenant : tenantId).map(async ({ tenant, key, limit: most, tool }) => {
      // Nothing is added: this only reads.
      const { count, leftMs } = await store.add({ space: 'rate', tenant, key }, 0, windowMs);
      return { key, used: count, limit: most, until: now() + leftMs, ...(tool !== undefined && { tool }), ...(isShared && { isShared }) };
    });
    return Promise.all(counts);
  }

  return defineGuard({ name: 'rate-limit', phase: 'limit', around, limits });
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
