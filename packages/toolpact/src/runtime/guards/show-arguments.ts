import { measureJson } from '../../json/index.ts';
import type { JsonValue } from '../../outcome/index.ts';

/** The arguments of a call as an approver sees them, and how much of them is missing. */
export interface ShownArguments {
  readonly input: JsonValue;
  /** How many parts were hidden as secrets. */
  readonly redactions: number;
  /** How many parts were cut, or have no text that says all of them. */
  readonly cuts: number;
}

/** Hides secrets in values, by their names too, and in texts. */
interface Redactors {
  readonly redact: (value: unknown) => JsonValue;
  readonly redactText: (text: string, whole: true) => string;
}

const maxDepth = 32;
const mark = '[redacted]';

/**
 * Creates the text form of checked arguments for the person who decides about them. Nothing is left out without a mark: secrets become
 * `[redacted]`, and what is longer than the limit ends with the number of missing characters, items or fields. Unlike logs, this keeps the query
 * of a URL, because a query can be what the call is about.
 */
export function showArguments(input: unknown, { redact, redactText }: Redactors, maxCharacters: number): ShownArguments {
  const above = new Set<object>();
  const path: string[] = [];
  let [left, redactions, cuts] = [maxCharacters, 0, 0];

  function cut(text: string): string {
    cuts += 1;
    left -= text.length;
    return text;
  }

  function showText(raw: string): string {
    const kept = raw.length > left ? raw.slice(0, Math.max(0, left)) : raw;
    const clean = redactText(kept, true);
    if (clean !== kept) redactions += Math.max(1, clean.split(mark).length - kept.split(mark).length);
    left -= kept.length;
    if (kept.length === raw.length) return clean;
    // The mark takes no room from the fields that follow.
    cuts += 1;
    return `${clean}… [${raw.length - kept.length} more characters]`;
  }

  function show(value: unknown): JsonValue {
    left -= 4;
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
    if (typeof value === 'bigint') return showText(`${value}n`);
    if (typeof value === 'string') return showText(value);
    if (typeof value !== 'object') return cut(`[${typeof value}]`);
    if (above.has(value)) return cut('[circular]');
    if (above.size >= maxDepth) return cut('[nested too deeply to be shown]');
    above.add(value);
    try {
      return showObject(value);
    } catch {
      return cut('[unreadable]');
    } finally {
      above.delete(value);
    }
  }

  function showObject(value: object): JsonValue {
    if (value instanceof Date) return value.toISOString();
    if (value instanceof URL) return showText(value.href);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return cut(`[${value.byteLength} bytes]`);
    if (Array.isArray(value)) return showItems(value);
    if (value instanceof Set) return showItems([...value]);
    if (value instanceof Map) return showItems([...value]);
    const prototype: unknown = Object.getPrototypeOf(value);
    const names = Object.keys(value);
    // An instance of a class may hold more than its fields.
    if (prototype !== Object.prototype && prototype !== null) cuts += 1;
    const needs = needsAfter(value, names, left);
    const fields: [string, JsonValue][] = [];
    for (const [index, name] of names.entries()) {
      if (left <= 0 && names.length > index) {
        fields.push([`… ${names.length - index}`, cut('[more fields]')]);
        break;
      }
      const shownName = showText(name);
      const kept = Math.min(needs[index] ?? 0, Math.max(0, left >> 1));
      left -= kept;
      fields.push([shownName, showField(name, value[name as keyof typeof value])]);
      left += kept;
    }
    return Object.fromEntries(fields);
  }

  function showItems(items: readonly unknown[]): JsonValue {
    const shown: JsonValue[] = [];
    for (const [index, item] of items.entries()) {
      if (left <= 0) {
        shown.push(cut(`… [${items.length - index} more items]`));
        break;
      }
      shown.push(showField(String(index), item));
    }
    return shown;
  }

  /** A field whose name or path says that it holds a secret is hidden whole. */
  function showField(name: string, value: unknown): JsonValue {
    path.push(name);
    const isSecret = value !== mark && JSON.stringify(redact(probeOf(value, path.slice(-deepestRedacted)))).includes(`:"${mark}"`);
    const shown = isSecret ? mark : show(value);
    path.pop();
    if (!isSecret) return shown;
    redactions += 1;
    left -= mark.length;
    return mark;
  }

  return { input: show(input), redactions, cuts };
}

/** Says for each field how many characters the fields after it need, up to `most`: a long field must not hide those that follow. */
function needsAfter(value: object, names: readonly string[], most: number): readonly number[] {
  const needs = names.map(() => most);
  let need = 0;
  for (let index = names.length - 1; index >= 0 && need < most; index -= 1) {
    needs[index] = need;
    const name = names[index] ?? '';
    need += name.length + 4 + measureJson(value[name as keyof typeof value], most);
  }
  return needs;
}

/** As deep as redactors look. */
const deepestRedacted = 8;

/** Puts something harmless in the place of a value, so that only the names on the way to it decide whether it is hidden. */
function probeOf(value: unknown, path: readonly string[]): unknown {
  const isEmpty = value === '' || value === null || value === undefined || typeof value === 'boolean';
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), isEmpty ? value : 'x');
}

/** The most characters of a question that are kept. */
const maxQuestion = 2_000;

/** Says in the question itself that not all of the arguments can be seen: some approvers see nothing else. */
export function sayHidden(asked: string, { redactions, cuts }: ShownArguments): string {
  const missing = [...(redactions > 0 ? [`${redactions} hidden as secret`] : []), ...(cuts > 0 ? [`${cuts} cut or not readable`] : [])];
  const question = asked.length > maxQuestion ? `${asked.slice(0, maxQuestion)}… [${asked.length - maxQuestion} more characters]` : asked;
  return missing.length === 0 ? question : `${question} (Not all of the arguments are shown: ${missing.join(', ')}.)`;
}
