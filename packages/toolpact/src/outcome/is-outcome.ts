import { isObject, peek } from '../json/index.ts';
import type { Outcome, Pending } from './outcome.ts';

/** How a call can end. */
export const statuses: readonly unknown[] = ['ok', 'partial', 'pending', 'error'] satisfies Outcome['status'][];

/** The reasons for which a call can be pending. */
export const pendingReasons: readonly Pending['reason'][] = ['approval', 'input', 'running', 'host'];

/** Recognises an outcome that another tool made. */
export function isOutcome(value: unknown): value is Outcome {
  const status = peek(value, 'status');
  const meta = peek(value, 'meta');
  const hasEnd = status === 'error' ? isObject(peek(value, 'error')) : statuses.includes(status);
  return hasEnd && typeof peek(meta, 'tookMs') === 'number' && typeof peek(meta, 'attempts') === 'number';
}
