const most = 500;
/** What every error may have, under names that are not among its keys. */
export const plainNames: readonly string[] = ['stack', 'message', 'cause'];
// The engine lists all names to give one. A parsed body may have any number, so those of a wide object are listed once.
const wide = new WeakMap<object, readonly string[]>();

/** Lists the first 500 keys of an object. */
export function keysOf(node: object): readonly string[] {
  let keys = wide.get(node) ?? Object.keys(node);
  if (keys.length > most) {
    keys = keys.slice(0, most);
    wide.set(node, keys);
  }
  return keys;
}

/** Lists the names of an object's own properties; of a wide object its first keys, and what errors have besides. */
export function namesOf(node: object): readonly string[] {
  const keys = keysOf(node);
  return keys.length < most ? Object.getOwnPropertyNames(node) : [...plainNames, ...keys];
}
