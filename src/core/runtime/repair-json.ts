/** A text read as JSON after harmless repairs, or the place where it cannot be read without guessing. */
export type RepairedJson =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly string[]; readonly firstAt: number }
  | { readonly ok: false; readonly at: number; readonly truncated: boolean };

const deepest = 200;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, True: true, False: false, None: null };

/**
 * Reads almost-JSON whose meaning is not in doubt: code fences, trailing commas, single quotes, bare keys, Python literals, raw line
 * breaks in strings, comments. Nothing is invented: a text that ends early stays unread.
 */
export function repairJson(source: string): RepairedJson {
  const text = withoutFence(source.trim());
  // Positions are told in the text that was sent.
  const offset = Math.max(0, source.indexOf(text));
  const repairs = new Set<string>();
  let firstAt = -1;
  let at = 0;

  function repair(what: string): void {
    if (firstAt < 0) firstAt = at;
    repairs.add(what);
  }

  function stop(): never {
    throw new Unreadable(at, at >= text.length);
  }

  function skip(): void {
    for (;;) {
      while (at < text.length && /\s/.test(text[at] as string)) at += 1;
      const comment = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : undefined;
      if (comment === undefined) return;
      repair('comment');
      const end = text.indexOf(comment, at + 2);
      at = end < 0 ? text.length : end + comment.length;
    }
  }

  function readValue(depth: number): unknown {
    if (depth > deepest) stop();
    skip();
    const char = text[at];
    if (char === '{') return readObject(depth);
    if (char === '[') return readArray(depth);
    if (char === '"' || char === "'") return readString(char);
    const word = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+)(?![\w.])/.exec(text.slice(at, at + 64))?.[0];
    if (word === undefined) stop();
    if (/^[-\d]/.test(word)) {
      at += word.length;
      return Number(word);
    }
    if (!Object.hasOwn(literals, word)) stop();
    if (/^[A-Z]/.test(word)) repair(word);
    at += word.length;
    return literals[word];
  }

  function readObject(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    at += 1;
    for (let first = true; ; first = false) {
      skip();
      if (text[at] === '}') {
        if (!first) repair('trailing comma');
        break;
      }
      const key = readKey();
      skip();
      if (text[at] !== ':') stop();
      at += 1;
      Object.defineProperty(object, key, { value: readValue(depth + 1), enumerable: true, configurable: true, writable: true });
      if (!more('}')) break;
    }
    at += 1;
    return object;
  }

  function readKey(): string {
    const char = text[at];
    if (char === '"' || char === "'") return readString(char);
    const key = /^[A-Za-z_$][\w$-]*/.exec(text.slice(at, at + 128))?.[0];
    if (key === undefined) stop();
    repair('bare key');
    at += key.length;
    return key;
  }

  function readArray(depth: number): unknown[] {
    const items: unknown[] = [];
    at += 1;
    for (let first = true; ; first = false) {
      skip();
      if (text[at] === ']') {
        if (!first) repair('trailing comma');
        break;
      }
      items.push(readValue(depth + 1));
      if (!more(']')) break;
    }
    at += 1;
    return items;
  }

  /** Steps over a comma; false at the closing bracket. */
  function more(close: string): boolean {
    skip();
    if (text[at] === close) return false;
    if (text[at] !== ',') stop();
    at += 1;
    return true;
  }

  function readString(quote: string): string {
    if (quote === "'") repair('single quotes');
    let out = '';
    at += 1;
    for (;;) {
      const char = text[at];
      if (char === undefined) stop();
      if (char === quote) break;
      if (char === '\\') {
        out += readEscape();
        continue;
      }
      if (char < ' ') repair('raw control character');
      out += char;
      at += 1;
    }
    at += 1;
    return out;
  }

  function readEscape(): string {
    const unicode = /^\\u([0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[1];
    if (unicode !== undefined) {
      at += 6;
      return String.fromCharCode(Number.parseInt(unicode, 16));
    }
    const char = text[at + 1];
    const plain = char === undefined ? undefined : escapes[char];
    if (plain === undefined) stop();
    at += 2;
    return plain;
  }

  try {
    if (text.length < source.trim().length) repair('code fence');
    const value = readValue(0);
    skip();
    if (at < text.length) stop();
    return { ok: true, value, repairs: [...repairs], firstAt: Math.max(0, firstAt) + offset };
  } catch (thrown) {
    const { position, truncated } = thrown instanceof Unreadable ? thrown : { position: at, truncated: false };
    return { ok: false, at: position + offset, truncated };
  }
}

function withoutFence(text: string): string {
  const end = text.lastIndexOf('```');
  const start = text.indexOf('\n');
  return text.startsWith('```') && end > start && end === text.length - 3 ? text.slice(start + 1, end) : text;
}

const escapes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Unreadable extends Error {
  readonly position: number;
  readonly truncated: boolean;

  constructor(position: number, truncated: boolean) {
    super('unreadable');
    this.position = position;
    this.truncated = truncated;
  }
}
