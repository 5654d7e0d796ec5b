/** A text read as JSON after harmless repairs, or the place where it cannot be read without guessing. */
export type RepairedJson =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly string[]; readonly firstAt: number }
  | { readonly ok: false; readonly at: number; readonly truncated: boolean };

const deepest = 200;
const gap = /\s*(\/\/.*|\/\*[^]*?(?:\*\/|$))?/y;
const bareKey = /[A-Za-z_$][\w$-]*/y;
const word = /(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[Tt]rue|[Ff]alse|null|None)(?![\w.])/y;
const escape = /\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])/y;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, True: true, False: false, None: null };

/**
 * Reads almost-JSON whose meaning is not in doubt: code fences, trailing commas, single quotes, bare keys, Python literals, raw line
 * breaks in strings, comments. Nothing is invented: a text that ends early stays unread.
 */
export function repairJson(source: string): RepairedJson {
  const trimmed = source.trim();
  const text = withoutFence(trimmed);
  // Positions are told in the text that was sent.
  const offset = Math.max(0, source.indexOf(text));
  const repairs = new Set<string>();
  let firstAt = -1;
  let at = 0;

  function repair(what: string): void {
    if (firstAt < 0) firstAt = at;
    repairs.add(what);
  }

  /** Gives what a pattern finds right here; undefined where it finds nothing. */
  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  }

  function stop(): never {
    throw new SyntaxError();
  }

  function skip(): void {
    for (let comment: string | undefined = ''; comment !== undefined; ) {
      const [found = ''] = match(/\s*/y) ?? [];
      at += found.length;
      comment = match(gap)?.[1];
      if (comment === undefined) return;
      repair('comment');
      at += comment.length;
    }
  }

  function readValue(depth: number): unknown {
    if (depth > deepest) stop();
    skip();
    const char = text[at];
    if (char === '{') return readObject(depth);
    if (char === '[') return readArray(depth);
    if (char === '"' || char === "'") return readString(char);
    const [found] = match(word) ?? stop();
    if (/^[A-Z]/.test(found)) repair(found);
    at += found.length;
    return found in literals ? literals[found] : Number(found);
  }

  /** Reads what stands between two brackets, item by item. */
  function readItems(close: string, readItem: () => void): void {
    for (at += 1, skip(); text[at] !== close; skip()) {
      readItem();
      skip();
      if (text[at] === close) break;
      step(',');
      skip();
      if (text[at] === close) repair('trailing comma');
    }
    at += 1;
  }

  function step(char: string): void {
    if (text[at] !== char) stop();
    at += 1;
  }

  function readObject(depth: number): object {
    const object = {};
    readItems('}', () => {
      const key = readKey();
      skip();
      step(':');
      Object.defineProperty(object, key, { value: readValue(depth + 1), enumerable: true, configurable: true, writable: true });
    });
    return object;
  }

  function readArray(depth: number): unknown[] {
    const items: unknown[] = [];
    readItems(']', () => items.push(readValue(depth + 1)));
    return items;
  }

  function readKey(): string {
    const char = text[at];
    if (char === '"' || char === "'") return readString(char);
    const [key] = match(bareKey) ?? stop();
    repair('bare key');
    at += key.length;
    return key;
  }

  function readString(quote: string): string {
    if (quote === "'") repair('single quotes');
    let out = '';
    at += 1;
    while (text[at] !== quote) {
      const char = text[at] ?? stop();
      if (char < ' ') repair('raw control character');
      const [found] = char === '\\' ? (match(escape) ?? stop()) : [char];
      out += found === "\\'" ? "'" : char === '\\' ? JSON.parse(`"${found}"`) : char;
      at += found.length;
    }
    at += 1;
    return out;
  }

  try {
    if (text !== trimmed) repair('code fence');
    const value = readValue(0);
    skip();
    if (at < text.length) stop();
    return { ok: true, value, repairs: [...repairs], firstAt: Math.max(0, firstAt) + offset };
  } catch {
    return { ok: false, at: at + offset, truncated: at >= text.length };
  }
}

function withoutFence(text: string): string {
  return /^```.*\n([^]*)```$/.exec(text)?.[1] ?? text;
}
