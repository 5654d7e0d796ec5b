/** A text read as JSON after harmless repairs, or the place where it cannot be read without guessing. */
export type RepairedJson =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly string[]; readonly at: number; readonly truncated?: undefined }
  | { readonly ok: false; readonly at: number; readonly truncated: boolean };

const space = /\s*/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const bareKey = /[A-Za-z_$][\w$-]*/y;
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[Tt]rue|[Ff]alse|null|None)(?![\w.])/y;
const characters = /[^\\"'\p{Cc}]+|[^\\]|\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])/uy;

/**
 * Reads almost-JSON whose meaning is not in doubt: code fences, trailing commas, single quotes, bare keys, Python literals, raw line
 * breaks in strings, comments. Nothing is invented: a text that ends early stays unread.
 */
export function repairJson(source: string): RepairedJson {
  const trimmed = source.trim();
  const text = /^```[^\n]*\n([\s\S]*)```$/.exec(trimmed)?.[1] ?? trimmed;
  // Positions refer to the text as it was sent.
  const offset = source.indexOf(text);
  const repairs = new Set<string>();
  let firstAt: number | undefined;
  let at = 0;

  function repair(what: string, where = at): void {
    firstAt ??= where;
    repairs.add(what);
  }

  /** Steps over what a pattern finds right here; undefined where it finds nothing. `repaired` says what is wrong with it. */
  function take(pattern: RegExp, repaired?: string): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return undefined;
    if (repaired !== undefined) repair(repaired);
    at += found.length;
    return found;
  }

  function stop(): never {
    throw new SyntaxError();
  }

  function skip(): void {
    do take(space);
    while (take(comment, 'comment') !== undefined);
  }

  function readValue(): unknown {
    skip();
    const start = at;
    if (text[at] === '{') return readObject();
    if (text[at] === '[') return readArray();
    if (isQuote()) return readString();
    const found = take(word) ?? stop();
    if (/^[A-Z]/.test(found)) repair(found, start);
    return found === 'None' ? null : JSON.parse(found.toLowerCase());
  }

  function readObject(): object {
    const entries: [string, unknown][] = [];
    readItems('}', () => {
      const key = isQuote() ? readString() : (take(bareKey, 'bare key') ?? stop());
      skip();
      step(':');
      entries.push([key, readValue()]);
    });
    return Object.fromEntries(entries);
  }

  function readArray(): unknown[] {
    const items: unknown[] = [];
    readItems(']', () => items.push(readValue()));
    return items;
  }

  /** Reads what stands between two brackets, item by item. */
  function readItems(close: string, readItem: () => void): void {
    at += 1;
    skip();
    while (text[at] !== close) {
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

  function isQuote(): boolean {
    return text[at] === '"' || text[at] === "'";
  }

  function readString(): string {
    const quote = text[at];
    if (quote === "'") repair('single quotes');
    let out = '';
    at += 1;
    while (text[at] !== quote) {
      const char = text[at] ?? stop();
      if (char < ' ') repair('raw control character');
      const found = take(characters) ?? stop();
      out += char !== '\\' ? found : found === "\\'" ? "'" : JSON.parse(`"${found}"`);
    }
    at += 1;
    return out;
  }

  try {
    if (text !== trimmed) repair('code fence');
    const value = readValue();
    skip();
    if (at < text.length) stop();
    return { ok: true, value, repairs: [...repairs], at: (firstAt ?? 0) + offset };
  } catch {
    // The parser gave up, or the nesting was too deep for the stack.
    return { ok: false, at: at + offset, truncated: at >= text.length };
  }
}
