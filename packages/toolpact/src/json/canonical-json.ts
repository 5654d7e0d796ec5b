import { mapJson } from './map-json.ts';

/**
 * Writes a value as JSON in one form only: equal values have the same text, whatever the order of their keys. What JSON cannot hold becomes a
 * text or a list: bigints, maps and sets; what has a JSON form of its own becomes that. An object that never ends is cut after a million parts.
 */
export function canonicalJson(value: unknown): string {
  const sorted = mapJson(value, {
    maxDepth: 500,
    maxParts: 1_000_000,
    sorted: true,
    limit: () => '…',
    leaf: (part) => (typeof part === 'bigint' ? `${part}n` : part),
    form: toSortable,
  });
  return JSON.stringify(sorted) ?? 'null';
}

function toSortable(part: object): unknown {
  const { toJSON } = part as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return formOf(() => toJSON.call(part));
  return part instanceof Map || part instanceof Set ? [part.constructor.name, [...part]] : part;
}

/** Asked once, as JSON does: one that cannot be made, or would have to be asked again, is left out. */
function formOf(make: () => unknown): unknown {
  try {
    const made = make();
    return typeof (made as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function' ? '…' : made;
  } catch {
    return '…';
  }
}
