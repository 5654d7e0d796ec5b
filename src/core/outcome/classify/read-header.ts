import { peek } from './peek.ts';

/** Reads one header by its lower-case name from a Headers instance, a Map, a plain object or a list of pairs. */
export function readHeader(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (Array.isArray(headers)) return readList(headers, name);
  if (typeof peek(headers, 'get') === 'function') return readGetter(headers, name);
  return toText(peek(headers, name)) ?? toText(peek(headers, titleCase(name)));
}

function readGetter(headers: object, name: string): string | undefined {
  try {
    const get = (key: string) => toText((headers as { get(key: string): unknown }).get(key));
    return get(name) ?? (headers instanceof Map ? get(titleCase(name)) : undefined);
  } catch {
    return undefined;
  }
}

/** `[[name, value], …]` as well as the flat `[name, value, …]` of raw headers. */
function readList(list: readonly unknown[], name: string): string | undefined {
  for (let index = 0; index < Math.min(list.length, 200); index++) {
    const entry = list[index];
    if (Array.isArray(entry) && isName(entry[0], name)) return toText(entry[1]);
    if (isName(entry, name)) return toText(list[index + 1]);
  }
  return undefined;
}

function isName(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.length === name.length && value.toLowerCase() === name;
}

function toText(value: unknown): string | undefined {
  const single: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof single === 'number') return String(single);
  return typeof single === 'string' && single !== '' ? single.slice(0, 300) : undefined;
}

const titles = new Map<string, string>();

function titleCase(name: string): string {
  let title = titles.get(name);
  if (title === undefined) {
    title = name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    titles.set(name, title);
  }
  return title;
}
