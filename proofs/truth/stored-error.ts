import { isPlainRecord, storedClassOf } from './stored-class.ts';

/** A thrown value as JSON: what it says and what it is called, nothing of its code. */
export type Stored = string | number | boolean | null | Stored[] | { [key: string]: Stored };

/** Where an error was made: inside a package, while a package created a client, inside the runtime, by the engine, in the application's own file, or not known. */
export type Place = 'package' | 'client' | 'runtime' | 'engine' | 'own' | 'none';

const maxNodes = 240;
const maxDepth = 6;
const maxFields = 40;
const maxItems = 5;
const maxCharacters = 1_000;
const maxStackCharacters = 20_000;

// Sockets, agents and buffers are the machinery of a client; they say nothing about what went wrong.
const machinery =
  /^(?:_(?:events|eventsCount|maxListeners|readable|writable|http|handle|parent|host|header|consum|dump|ended|current|redir|redirect|options|redirectCount|defaultAgent|closed|contentLength|hasBody|trailer|removed|keepAlive)\w*|agent|socket|parser|connection|https?Agent|domain|client|pool|stack|constructor|transform\w*|adapter|validateStatus|env|dispatcher)$/;

const telling = /^(?:name|message|code|status\w*|type|headers?|cause|errors?|response|body|data|detail)$/i;

/** Turns a thrown value into JSON: bounded, without functions, buffers and paths of this machine. */
export function storeError(thrown: unknown, clean: (text: string) => string = (text) => text): Stored {
  const seen = new Set<object>();
  let nodes = 0;

  function store(value: unknown, depth: number): Stored | undefined {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (typeof value === 'string') return clean(value).slice(0, maxCharacters);
    if (typeof value !== 'object' || seen.has(value) || depth > maxDepth || ++nodes > maxNodes) return undefined;
    seen.add(value);
    if (ArrayBuffer.isView(value)) return undefined;
    if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => store(item, depth + 1) ?? null);
    const names = storedClassOf(value);
    const pairs = pairsOf(value);
    if (pairs !== undefined) return { '~pairs': pairs.map(([name, held]) => [name, clean(held)]) };
    // The body of a fetch response is a stream: what it says without being read is its status, headers and address.
    const isResponse = !(value instanceof Error) && typeof read(value, 'json') === 'function' && typeof read(value, 'headers') === 'object';
    const fields = fieldsOf(value, depth, isResponse ? ['status', 'statusText', 'headers', 'url'] : namesOf(value));
    if (isPlainRecord(value)) return fields;
    const place = value instanceof Error ? placeOf(value) : undefined;
    return { '~class': names, ...(place === undefined ? {} : { '~place': place }), ...fields };
  }

  function fieldsOf(value: object, depth: number, names: readonly string[]): Record<string, Stored> {
    const fields: Record<string, Stored> = {};
    for (const name of names) {
      const stored = store(read(value, name), depth + 1);
      if (stored !== undefined) fields[name] = stored;
    }
    return fields;
  }

  return store(thrown, 0) ?? null;
}

/** Returns the place where an error was created, by the first line of its stack. */
function placeOf(error: Error): Place {
  const stack = String(error.stack ?? '').slice(0, maxStackCharacters);
  const frame = /\n\s+at (.*)/.exec(stack.replace(error.message, ''))?.[1];
  if (frame === undefined) return 'none';
  if (frame.includes('node_modules')) return frame.startsWith('new ') ? 'client' : 'package';
  if (/(?:^|\()node:|internal\//.test(frame)) return 'runtime';
  return /<anonymous>\)?$|\bnative\b/.test(frame) ? 'engine' : 'own';
}

/** Lists the properties that hold something: own ones, and those that a class defines with a getter or as a constant. */
function namesOf(value: object): string[] {
  const names = Object.getOwnPropertyNames(value);
  for (let above = Object.getPrototypeOf(value); above !== null && !isBuiltIn(above); above = Object.getPrototypeOf(above))
    names.push(...Object.getOwnPropertyNames(above));
  const kept = [...new Set(names)].filter((name) => !machinery.test(name));
  // The most telling fields come first, because a client's own settings may fill the rest.
  return [...kept.filter((name) => telling.test(name)), ...kept.filter((name) => !telling.test(name))].slice(0, maxFields);
}

function isBuiltIn(prototype: object): boolean {
  return [Object.prototype, Error.prototype, TypeError.prototype, RangeError.prototype, SyntaxError.prototype].includes(prototype as Error);
}

function read(value: object, name: string): unknown {
  try {
    return value[name as keyof typeof value];
  } catch {
    return undefined;
  }
}

/** Reads headers and maps as pairs. */
function pairsOf(value: object): [string, string][] | undefined {
  if (!(value instanceof Map) && !(typeof read(value, 'get') === 'function' && typeof read(value, 'entries') === 'function'))
    return undefined;
  try {
    const entries = [...(value as Map<unknown, unknown>).entries()].slice(0, maxFields);
    return entries.map(([name, held]) => [String(name), String(held).slice(0, 300)]);
  } catch {
    return undefined;
  }
}
