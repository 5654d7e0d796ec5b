import type { Meta, Outcome } from './outcome.ts';

/** Returns the same outcome with more facts about it. */
export function withMeta<TOutcome extends Outcome>(outcome: TOutcome, extra: Partial<Meta>): TOutcome {
  return Object.freeze({ ...outcome, meta: Object.freeze({ ...outcome.meta, ...extra }) });
}

/** Returns the same outcome with one more warning. */
export function withWarning<TOutcome extends Outcome>(outcome: TOutcome, warning: string): TOutcome {
  return withMeta(outcome, { warnings: Object.freeze([...(outcome.meta.warnings ?? []), warning]) });
}
