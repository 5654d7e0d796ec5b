import type { OptionNames } from '../outcome/index.ts';

/** How often, and how soon, a call is tried again. */
export interface RetryRule {
  /** How often the tool runs at most, the first time included. @default 3 */
  readonly attempts?: number;
  /** The longest first pause; it doubles with each attempt, and each pause is drawn between 0 and that. @default 200 */
  readonly baseMs?: number;
  /** The longest pause. @default 10_000 */
  readonly maxMs?: number;
}

/** The options of a retry rule. */
export const retryOptions: OptionNames<RetryRule> = {
  attempts: 'a whole number from 1',
  baseMs: 'a number from 0',
  maxMs: 'a number from 0',
};

/** The rule of those who state none. */
export const defaultRetry: Required<RetryRule> = { attempts: 3, baseMs: 200, maxMs: 10_000 };
