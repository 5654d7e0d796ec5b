import type { Outcome } from 'toolpact';

/** The parts of an outcome that are compared field by field. */
const opened: ReadonlySet<string> = new Set(['error', 'meta', 'pending']);

/** Lists the places in which an outcome differs from the one it was before, dotted. What only follows from a changed status is not listed. */
export function lostPaths(before: Outcome, after: Outcome): string[] {
  return compare(before, after, '', before.status !== after.status);
}

/** Checks whether two JSON values are equal, whatever the order of their keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key as keyof typeof left], right[key as keyof typeof right]))
  );
}

function compare(before: object, after: object, path: string, changed: boolean): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [left, right] = [before, after].map((side) =>
      Object.hasOwn(side, key) ? side[key as keyof typeof side] : undefined,
    ) as unknown[];
    if (isSame(left, right)) return [];
    if (path !== '' || !opened.has(key)) return [`${path}${key}`];
    if (left !== undefined && right !== undefined) return compare(left as object, right as object, `${key}.`, false);
    return changed ? [] : [key];
  });
}
