import type { Outcome } from 'toolpact';
import { isRecord } from 'toolpact/internal';

/** Says which of some names a result has a field of, if any. */
export function namedField(outcome: Outcome, names: readonly string[]): string | undefined {
  const data = outcome.status === 'ok' || outcome.status === 'partial' ? outcome.data : undefined;
  const found = isRecord(data) ? names.find((name) => Object.hasOwn(data, name)) : undefined;
  return found === undefined ? undefined : `a result has a field named ${found}`;
}
