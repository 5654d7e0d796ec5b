import { mapJson } from './map-json.ts';

/**
 * Copies a value with the keys of all objects sorted, so that equal values have the same JSON. What JSON cannot hold becomes a text or a list:
 * bigints, maps and sets; what has a JSON form of its own becomes that.
 */
export function sortKeys(value: unknown): unknown {
  return mapJson(value, {
    maxDepth: 500,
    maxParts: Number.POSITIVE_INFINITY,
    sorted: true,
    limit: () => '…',
    leaf: (part) => (typeof part === 'bigint' ? `${part}n` : part),
    form: toSortable,
  });
}

function toSortable(part: object): unknown {
  const { toJSON } = part as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return toJSON.call(part);
  return part instanceof Map || part instanceof Set ? [part.constructor.name, [...part]] : part;
}
