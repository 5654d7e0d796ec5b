import { convertToJson, cutJson, measureJson, NotJson } from '../../json/index.ts';
import type { Call } from '../call.ts';

/** A value made fit to travel, or the place in it that has no JSON form. */
export type JsonData =
  | { readonly ok: true; readonly value: unknown; readonly truncated: boolean; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly path: string; readonly problem: string };

const largest = 2 ** 25;

/** Tells in one walk, allocating nothing, whether a value is JSON and small enough to travel as it is. */
export function isFitData(value: unknown, maxChars: number): boolean {
  return measureJson(value, largest) <= Math.min(maxChars, largest);
}

/**
 * Makes a value fit to travel in one walk that checks JSON-ness and measures. What is JSON already and small enough is returned
 * untouched; the rest is converted to its nearest useful JSON and cut, structure kept, to `maxChars`. Never throws.
 */
export function toJsonData(value: unknown, maxChars: number): JsonData {
  const warnings: string[] = [];
  try {
    let json = value;
    let size = measureJson(value, largest);
    if (size === Number.POSITIVE_INFINITY) {
      json = convertToJson(value, warnings);
      size = measureJson(json, largest);
    }
    const truncated = size > maxChars;
    return { ok: true, value: truncated ? cutJson(json, maxChars, warnings) : json, truncated, warnings };
  } catch (thrown) {
    return thrown instanceof NotJson
      ? { ok: false, path: thrown.path, problem: thrown.message }
      : { ok: false, path: '', problem: 'reading it failed' };
  }
}

/** Makes a value fit to travel like {@link toJsonData} and gives it alone, undefined where it has no JSON form. A call given limits it, and is warned. */
export function toJsonOnly(value: unknown, call?: Pick<Call, 'settings' | 'warn'>): unknown {
  const json = toJsonData(value, call?.settings.maxResultChars ?? Number.POSITIVE_INFINITY);
  if (!json.ok) return undefined;
  for (const warning of json.warnings) call?.warn(warning);
  return json.value;
}
