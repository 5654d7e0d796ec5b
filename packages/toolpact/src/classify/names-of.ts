const most = 500;
/** Properties that any error may have, under names that are not among its keys. */
export const plainNames: readonly string[] = ['stack', 'message', 'cause'];
// The engine lists all names to give one. A parsed body may have any number, so those of a wide object are listed once.
const wide = new WeakMap<object, readonly string[]>();

/** Lists the names of an object's own properties; of a wide object its first 500, and what errors have besides. */
export function namesOf(node: object): readonly string[] {
  const known = wide.get(node);
  if (known !== undefined) return known;
  // Of many names, the keys alone are listed twice as fast.
  const keys = Object.keys(node);
  if (keys.length <= most) return Object.getOwnPropertyNames(node);
  const names = [...plainNames, ...keys.slice(0, most)];
  wide.set(node, names);
  return names;
}
