import { convertToJson, cutJson, type JsonValue, measureJson, peek } from '../../json/index.ts';
import type { Call } from '../call.ts';

/** A value made fit to travel, or the place in it that has no JSON form. */
export type JsonData =
  | { readonly ok: true; readonly value: unknown; readonly truncated: boolean; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly path: string; readonly problem: string };

const largest = 2 ** 25;

/** Checks in one walk whether a value is JSON and small enough to be sent as it is. */
export function isFitData(value: unknown, maxChars: number): boolean {
  const most = Math.min(maxChars, largest);
  return measureJson(value, most) <= most;
}

/**
 * Makes a value fit to travel in one walk that checks JSON-ness and measures. What is JSON already and small enough is returned
 * untouched; the rest is converted to its nearest useful JSON and cut, structure kept, to `maxChars`. Never throws.
 */
export function toJsonData(value: unknown, maxChars: number): JsonData {
  const warnings: string[] = [];
  try {
    const [short, of] = shorten(value, maxChars);
    const converted = measureJson(short, largest) > largest ? convertToJson(short, warnings) : { value: short };
    if (converted.problem !== undefined) return { ok: false, ...converted };
    const { value: json } = converted;
    const cut = cutJson(json, maxChars, warnings);
    if (of !== undefined) warnings.unshift(`the result: ${Object.keys(cut as object).length} of ${of} keys kept`);
    return { ok: true, value: cut, truncated: cut !== json || of !== undefined, warnings };
  } catch {
    return { ok: false, path: '', problem: 'reading it failed' };
  }
}

/** Takes no more entries than `maxChars` can hold from a map or an object of very many, and says how many there are: not all are converted. */
function shorten(value: unknown, maxChars: number): readonly [unknown, number?] {
  const isMap = value instanceof Map;
  const names = isMap
    ? [...value.keys()]
    : peek(value, 'constructor') === Object && !peek(value, 'toJSON')
      ? Object.keys(value as object)
      : [];
  // Each entry takes more than five characters.
  const most = maxChars / 5;
  if (names.length <= most) return [value];
  return [new Map(names.slice(0, most).map((name) => [name, isMap ? value.get(name) : peek(value, name)])), names.length];
}

/** Makes a value fit to travel like {@link toJsonData} and gives it alone, undefined where it has no JSON form. A call given limits it, hides its secrets where they are to be hidden, and is warned. */
export function toJsonOnly(value: unknown, call?: Call): unknown {
  const json = toJsonData(value, call?.settings.maxResultChars ?? Number.POSITIVE_INFINITY);
  if (!json.ok) return undefined;
  for (const warning of json.warnings) call?.warn(warning);
  return call ? withoutSecrets(call, json.value) : json.value;
}

/** Returns data as it is, or without secrets where the tool or toolbox asks for that. */
export function withoutSecrets(call: Call, data: unknown): unknown {
  return (call.plan.redact?.results ?? call.settings.redactor.results) ? call.redactor.json(data) : data;
}

/** Returns the checked arguments as JSON, or those received where the check failed, unless the tool or toolbox leaves them out. */
export function inputOf(call: Call): JsonValue | undefined {
  if (!echoes(call)) return undefined;
  const { shown, received } = call;
  return (shown?.json ? shown.value : (toJsonOnly(shown ? shown.value : received) ?? null)) as JsonValue;
}

/** Checks whether the outcome of a call shows its arguments. */
export function echoes({ plan, settings }: Call): boolean {
  return plan.echoInput ?? settings.echoInput;
}
