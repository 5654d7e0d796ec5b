import { isObject } from '../json/index.ts';
import type { Outcome } from './outcome.ts';

/** How a call can end. */
export const statuses: readonly unknown[] = ['ok', 'partial', 'pending', 'error'] satisfies Outcome['status'][];

/** Recognises an outcome that another tool made. */
export function isOutcome(value: unknown): value is Outcome {
  if (!isObject(value)) return false;
  const { status, meta } = value as { status?: unknown; meta?: { tookMs?: unknown; attempts?: unknown } | null };
  return statuses.includes(status) && typeof meta?.tookMs === 'number' && typeof meta.attempts === 'number';
}
