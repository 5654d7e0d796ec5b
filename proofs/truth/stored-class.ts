const builtIns: Record<string, new (...given: never[]) => object> = {
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError,
};

/** Names the classes of a value, nearest first, up to one that the language defines. */
export function storedClassOf(value: object): string[] {
  const names: string[] = [];
  for (let above = Object.getPrototypeOf(value); above !== null && above !== Object.prototype; above = Object.getPrototypeOf(above)) {
    names.push(String(above.constructor?.name ?? ''));
    if (Object.values(builtIns).some(({ prototype }) => prototype === above)) break;
  }
  return names;
}

/** Distinguishes an object literal from an instance. */
export function isPlainRecord(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const made = new Map<string, object>();

/** Returns a prototype whose classes have these names. */
export function prototypeOf(names: readonly string[]): object {
  const [name = '', ...rest] = names;
  const known = made.get(names.join('<'));
  if (known !== undefined) return known;
  const builtIn = rest.length === 0 ? builtIns[name]?.prototype : undefined;
  if (builtIn !== undefined) return builtIn;
  const prototype = Object.create(rest.length === 0 ? Object.prototype : prototypeOf(rest));
  const named = { [name]: class {} }[name];
  Object.defineProperty(prototype, 'constructor', { value: named, writable: true, configurable: true });
  made.set(names.join('<'), prototype);
  return prototype;
}
