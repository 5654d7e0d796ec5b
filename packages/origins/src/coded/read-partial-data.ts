import type { ItemFailure, JsonObject, JsonValue } from 'toolpact';
import type { DecodeOptions } from 'toolpact/extend';
import { foreignFailure, isRecord } from 'toolpact/internal';

/**
 * Finds the failed items in the data of a 5009, in the two documented shapes: `results` whose items say `success: false`, and `errors`
 * with an index next to a list of as many places as there were items. Undefined if the items cannot be identified, or are not as many as
 * the data itself counts.
 */
export function readPartialData(
  data: JsonObject | null,
  options: DecodeOptions,
): { readonly failures: readonly ItemFailure[]; readonly total: number } | undefined {
  const { results, errors, contexts, failed_count, count } = data ?? {};
  const listed = Array.isArray(results)
    ? fromResults(results)
    : Array.isArray(errors) && Array.isArray(contexts)
      ? fromErrors(errors, contexts.length)
      : undefined;
  if (listed === undefined || listed.length === 0) return undefined;
  const failures = listed.map(([index, message]) => Object.freeze({ index, error: foreignFailure('upstream', { message }, options) }));
  const total = (Array.isArray(results) ? results : (contexts as readonly JsonValue[])).length;
  if (contradicts(failed_count, failures.length) || (!Array.isArray(results) && contradicts(count, total))) return undefined;
  return { failures: Object.freeze(failures), total };
}

function contradicts(stated: JsonValue | undefined, found: number): boolean {
  return typeof stated === 'number' && stated !== found;
}

function fromResults(results: readonly JsonValue[]): [number, string][] {
  return results.flatMap((item, index): [number, string][] =>
    isRecord(item) && item.success === false ? [[index, typeof item.error === 'string' ? item.error : 'The item failed.']] : [],
  );
}

function fromErrors(errors: readonly JsonValue[], total: number): [number, string][] | undefined {
  const read = errors.flatMap((item): [number, string][] =>
    isRecord(item) && isIndex(item.index, total) && typeof item.error === 'string' ? [[item.index, item.error]] : [],
  );
  const places = new Set(read.map(([index]) => index));
  return places.size === errors.length ? read : undefined;
}

function isIndex(value: JsonValue | undefined, total: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < total;
}
