/**
 * Puts methods in front of those of a foreign object; all else is the object's own. Its other methods keep it as `this`,
 * because they may read private fields, except those in `open`, which are to find the new ones.
 */
export function overlay<TTarget extends object>(target: TTarget, own: Partial<TTarget>, open: readonly PropertyKey[] = []): TTarget {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' && !open.includes(key) ? value.bind(target) : value;
    },
  });
}
