import { toNameKey } from 'toolpact/internal';

const longest = 64;

/** An operation that wants a name. */
export interface Unnamed {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
}

/** Gives each operation a name that every model provider accepts and none of the others can be taken for. The same description gives the same names. */
export function nameOperations(operations: readonly Unnamed[], prefix = ''): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return operations.map(({ method, path, operationId }) => {
    const own = toSafe(operationId ?? '') || `${method.toLowerCase()}_${toSafe(path)}`;
    const wanted = toSafe(prefix === '' ? own : `${prefix}_${own}`);
    const base = /^[A-Za-z]/.test(wanted) ? wanted : `op_${wanted}`.replace(/_$/, '');
    let name = shorten(base, `${method} ${path}`);
    let count = counts.get(base) ?? 2;
    for (; taken.has(toNameKey(name)); count += 1) name = `${shorten(base, `${method} ${path}`, `_${count}`.length)}_${count}`;
    counts.set(base, count);
    taken.add(toNameKey(name));
    return name;
  });
}

function toSafe(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

/** Cuts a long name and ends it in a mark of the whole, so that what began alike stays apart. */
function shorten(name: string, whole: string, reserve = 0): string {
  if (name.length <= longest - reserve) return name;
  let hash = 0x811c9dc5;
  for (const character of `${name} ${whole}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  const mark = hash.toString(36).padStart(7, '0');
  return `${name.slice(0, longest - reserve - mark.length - 1).replace(/[_-]+$/, '')}_${mark}`;
}
