import { toStorableMs, type WhenStoreFails, whenStoreFailsRule } from '../../calls/index.ts';
import { isObject } from '../../json/index.ts';
import { assertPositive, expectArgument, type Outcome, refuseOptions, withWarning } from '../../outcome/index.ts';
import type { Guard, GuardedCall, LimitState, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { addToLimit } from './add-to-limit.ts';
import { createKnownLimits } from './known-limits.ts';
import { assertLimitStore, createProcessStore, type LimitStore } from './process-store.ts';

/** How token budgets are kept. */
export interface BudgetOptions {
  /** Counts for all processes that share it. @default this process alone */
  readonly store?: Store;
  /** Names what the budget is for; a call that belongs to nothing is not counted. @default the run, else the conversation, else the session */
  readonly by?: (call: GuardedCall) => string | undefined;
  /** How long what was spent is remembered, counted from the first call. @default 86_400_000 */
  readonly windowMs?: number;
  /** @default 'refuse' */
  readonly whenStoreFails?: WhenStoreFails;
  readonly now?: () => number;
}

/**
 * Holds a run to the tokens it may spend (`context.budgetTokens`): what its calls report as `tokenUsage` is added up per tenant and run, and
 * once it reaches the budget the next call is refused as `budget_exhausted`. What a call costs is known when it is over, so calls that run at
 * the same time may spend more than is left. A call with a budget needs the count: while the store fails it is refused as `not_ready`, unless
 * `whenStoreFails` is `allow`. Calls without a budget are not touched.
 */
export function budget(options: BudgetOptions = {}): Guard {
  refuseOptions<BudgetOptions>('budget', options, {
    store: true,
    by: 'a function',
    windowMs: true,
    whenStoreFails: whenStoreFailsRule,
    now: 'a function',
  });
  const { by = scopeOf, whenStoreFails = 'refuse', now = Date.now } = options;
  const windowMs = toStorableMs(options.windowMs ?? 86_400_000);
  assertPositive('budget', { windowMs });
  assertLimitStore('budget', options.store);
  const store: LimitStore = options.store ?? createProcessStore(now);

  const known = createKnownLimits(now);

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const { budgetTokens } = call.context;
    if (budgetTokens === undefined || Number.isNaN(budgetTokens)) return next();
    if (budgetTokens <= 0) return exhausted(call, 0, budgetTokens);
    const scope = scopeFor(call, by);
    if (scope === false)
      return call.refuse(
        'not_configured',
        `The budget does not know what this call of ${call.tool.name} belongs to: its \`by\` failed, or gave no text.`,
      );
    if (scope === undefined) return next();
    const at = { space: 'budget', tenant: call.tenantId, key: scope };
    const spent = await addToLimit(call, store, at, 0, windowMs);
    if (!spent.ok) {
      if (whenStoreFails === 'refuse') {
        return call.refuse('not_ready', `${call.tool.name} did not run because what was spent is not known now: ${spent.why}.`, {
          cause: spent.cause,
        });
      }
      call.warn(`the token budget was not checked: ${spent.why}`);
      return next();
    }
    known.note({ tenant: call.tenantId, key: scope, limit: budgetTokens, until: now() + spent.value.leftMs });
    if (spent.value.count >= budgetTokens) return exhausted(call, spent.value.count, budgetTokens);
    // A call that has ended meanwhile does not run, and its end does not come again.
    if (call.outcome !== undefined) return call.outcome;
    left.set(call.invocationId, budgetTokens - spent.value.count);
    call.onEnd(() => left.delete(call.invocationId));
    const outcome = await next();
    const tokens = outcome.meta.replayed === true ? 0 : tokensIn(outcome.meta.tokenUsage);
    if (tokens === 0) return outcome;
    const added = await addToLimit(call, store, at, tokens, windowMs);
    return added.ok ? outcome : withWarning(outcome, `${tokens} tokens were not counted: ${added.why}`);
  }

  async function limits({ tenantId }: { readonly tenantId: string }): Promise<readonly LimitState[]> {
    const counts = known.of(tenantId).map(async ({ tenant, key, limit }) => {
      // Nothing is added: this only reads.
      const { count, leftMs } = await store.add({ space: 'budget', tenant, key }, 0, windowMs);
      return { key, used: count, limit, until: now() + leftMs };
    });
    return Promise.all(counts);
  }

  return defineGuard({ name: 'budget', phase: 'budget', around, limits });
}

/**
 * Returns the tokens that were left of the budget when the call of a tool began, for example to limit what a model may write; undefined where the
 * `budget` guard does not count the call. Takes the context of the tool. Its `budgetTokens` stays the whole budget, because calls that the
 * tool makes itself are held to that.
 */
export function tokensLeft(context: { readonly invocationId: string }): number | undefined {
  expectArgument(isObject(context), 'tokensLeft takes the context of a running tool: ctx');
  return left.get(context.invocationId);
}

/** Tokens left for the calls that run now. */
const left = new Map<string, number>();

/**
 * Adds up what a call spent. A total counts as it is; without one, what went in and what came out are added; other counts are parts of those,
 * unless there is nothing else. Every spelling in use is understood: `total_tokens`, `promptTokenCount`, `output`.
 */
export function tokensIn(usage: Readonly<Record<string, number>> | undefined): number {
  const counts = Object.entries(usage ?? {}).map(
    ([name, count]) => [name.toLowerCase().replace(/tokens?|count|[^a-z]/g, ''), count] as const,
  );
  const sum = (names?: readonly string[]): number =>
    counts.reduce((total, [name, count]) => (names === undefined || names.includes(name) ? total + count : total), 0);
  const has = (names: readonly string[]): boolean => counts.some(([name]) => names.includes(name));
  return has(totals) ? sum(totals) : sum(has(sides) ? sides : undefined);
}

const totals = ['total'];
const sides = ['input', 'prompt', 'in', 'output', 'completion', 'candidates', 'out'];

/** Asks the caller's own function; false when that fails. */
function scopeFor(call: GuardedCall, by: (call: GuardedCall) => unknown): string | undefined | false {
  try {
    const scope = by(call);
    return typeof scope === 'string' || scope === undefined ? scope : false;
  } catch {
    return false;
  }
}

function scopeOf({ context: { runId, conversationId, sessionId } }: GuardedCall): string | undefined {
  if (runId !== undefined) return `run:${runId}`;
  if (conversationId !== undefined) return `conversation:${conversationId}`;
  return sessionId === undefined ? undefined : `session:${sessionId}`;
}

function exhausted(call: GuardedCall, spent: number, budgetTokens: number): Outcome {
  return call.refuse('budget_exhausted', `The token budget of ${budgetTokens} is spent (${spent}); ${call.tool.name} did not run.`, {
    effect: 'none',
    details: { budgetTokens, spentTokens: spent },
  });
}
