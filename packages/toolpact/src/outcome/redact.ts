import { cleanText, type JsonValue, peek } from '../json/index.ts';
import { hidden } from './redaction/hidden.ts';
import { hideSecrets } from './redaction/hide-secrets.ts';
import { hideKnown, secretsIn } from './redaction/known-secrets.ts';
import { isSecretName, toNameKey } from './redaction/secret-names.ts';
import { wholeWords } from './redaction/whole-words.ts';
import { refuseOptions } from './refuse-options.ts';

/** Things to hide besides the secrets that are known by their look or name. */
export interface RedactOptions {
  /** Text to hide wherever it appears. */
  readonly patterns?: readonly RegExp[];
  /** Key names whose values are hidden; case, `_` and `-` do not matter. */
  readonly keys?: readonly string[];
  /** Dotted paths whose values are hidden; `*` matches one step, `**` any depth. */
  readonly paths?: readonly string[];
  /** Whether the data and content of successful results are redacted too, by look, pattern and key. @default false */
  readonly results?: boolean;
}

/** Removes secrets from everything that leaves the process. No method ever throws. */
export interface Redactor {
  /** Replaces secrets in a text by `[redacted]` and drops the query of every URL; of a `whole` text only its secrets. */
  text(text: string, whole?: boolean): string;
  /** Copies anything as bounded JSON, for operators: values of secret keys are hidden, strings go through `text`. */
  value(value: unknown): JsonValue;
  /** Reduces a URL to scheme, host and path; undefined where there is none. */
  endpoint(url: string): string | undefined;
  /** Copies JSON without secrets: values of secret keys are hidden, strings go through `text`. */
  json(value: unknown): unknown;
  /** Returns a redactor that also hides the values that these arguments hold under the name of a secret, wherever a text repeats them. */
  knowing(...args: readonly unknown[]): Redactor;
  /** Whether successful results are redacted too. */
  readonly results: boolean;
}

const maxDepth = 8;
const maxEntries = 200;
const maxNodes = 5_000;
const maxCharacters = 2_000;

// Twice as much is looked at as is shown: what is hidden makes a text shorter.
const maxExamined = 4_000;

const address =
  /^((?:[a-z][a-z\d+.:-]{0,31}:\/\/)?)(?:[^\s/?#]*@)?((?:\[[\da-f:.]+\]|[^\s/?#@:;,[\]"'<>\\]+)(?::\d+)?(?:,[^\s/?#@:;,]+(?::\d+)?)*)(\/[^\s?#;]*)?(?:[?#;]|$)/i;

/** Creates a redactor that also hides what its options name. */
export function createRedactor(options: RedactOptions = {}): Redactor {
  return redactorOf(options, []);
}

function redactorOf(options: RedactOptions, known: readonly string[]): Redactor {
  refuseOptions('redact', options, { patterns: 'an array', keys: 'an array', paths: 'an array', results: 'a boolean' });
  const patterns = (options.patterns ?? []).map((pattern) => new RegExp(pattern, (pattern.flags ?? '').replace(/g|$/, 'g')));
  const keys = new Set((options.keys ?? []).map(toNameKey));
  const paths = (options.paths ?? []).map(toPathPattern);

  function text(given: string, whole?: boolean): string {
    try {
      return patterns.reduce(
        (rest, pattern) => rest.replace(pattern, hidden),
        hideSecrets(cleanText(hideKnown(String(given), known)), whole),
      );
    } catch {
      return hidden; // not a text, or one on which the regular expression engine ran out of memory
    }
  }

  /** Shows only what was looked at whole, so that no half of a secret is left unrecognised at the end. */
  function cut(raw: string): string {
    const clean = text(wholeWords(raw, maxExamined));
    return raw.length > maxCharacters ? `${clean.slice(0, maxCharacters)}…` : clean;
  }

  // A walk of its own: `mapJson` knows neither circles nor the siblings of a part, one of which may name a secret.
  function value(root: unknown): JsonValue {
    const above = new Set<object>();
    let nodes = 0;

    function copy(given: unknown, path: string): JsonValue {
      if (given === undefined || given === null) return null;
      if (typeof given === 'boolean') return given;
      // JSON has no negative zero.
      if (Number.isFinite(given)) return (given as number) + 0;
      if (typeof given === 'function') return '[function]';
      if (typeof given !== 'object') return cut(String(given));
      if (above.has(given)) return '[circular]';
      if (above.size >= maxDepth || nodes > maxNodes) return '[…]';
      above.add(given);
      try {
        if (given instanceof Date) return given.toISOString();
        if (given instanceof URL) return cut(given.href);
        if (ArrayBuffer.isView(given)) return `[${given.byteLength} bytes]`;
        const item = given instanceof Map || given instanceof Set ? toPlain(given) : given;
        const list = Array.isArray(item);
        const names = list ? [...Array(Math.min(item.length, maxEntries + 1)).keys()].map(String) : Object.keys(item);
        if (item instanceof Error) names.unshift(...['name', 'message', 'cause', 'errors'].filter((name) => name in item));
        const copies = names.slice(0, maxEntries).map((name): [string, JsonValue] => [cut(name), entry(item, name, `${path}${name}\0`)]);
        if (names.length > maxEntries) copies.push(['…', '[more]']);
        return list ? copies.map(([, copied]) => copied) : Object.fromEntries(copies);
      } catch {
        return '[unreadable]';
      } finally {
        above.delete(given);
      }
    }

    function entry(item: object, name: string, path: string): JsonValue {
      nodes += 1;
      try {
        const found: unknown = item[name as keyof typeof item];
        return isSecretPlace(item, name, found, path) ? hidden : copy(found, path);
      } catch {
        return '[unreadable]';
      }
    }

    return copy(root, '');
  }

  /** Checks whether this is the value in `[name, value]`, `{ name, value }` or a flat list of headers, and the name is a secret's. */
  function isNamedSecret(item: object, name: string): boolean {
    const label: unknown = Array.isArray(item)
      ? item[Number(name) - 1]
      : name === 'value'
        ? (peek(item, 'name') ?? peek(item, 'key'))
        : undefined;
    // A list of names is no list of values.
    const held = typeof label === 'string' ? item[name as keyof typeof item] : undefined;
    return typeof held === 'string' && /\d|\s|.{16}/.test(held) && isSecretKey((label as string).slice(0, 64));
  }

  function isSecretPlace(holder: object, name: string, held: unknown, path: string): boolean {
    return hides(name, held) || isNamedSecret(holder, name) || paths.some((pattern) => pattern.test(path));
  }

  function hides(name: string, held: unknown): boolean {
    return isSecretKey(name) && typeof held !== 'boolean' && (held ?? '') !== '';
  }

  function json(given: unknown): unknown {
    return JSON.parse(JSON.stringify(given) ?? 'null', (name, held) =>
      hides(name, held) ? hidden : typeof held === 'string' ? text(held) : held,
    );
  }

  function isSecretKey(name: string): boolean {
    return isSecretName(name) || keys.has(toNameKey(name));
  }

  function endpoint(raw: string): string | undefined {
    const [, scheme = '', host = '', path = ''] = (typeof raw === 'string' && address.exec(raw.trim().slice(0, maxCharacters))) || [];
    if (host === '' || (scheme === '' && !/[.:]|^localhost$/i.test(host))) return undefined;
    return scheme + text(host + path);
  }

  function knowing(...args: readonly unknown[]): Redactor {
    try {
      const isSecret = (holder: object, name: string, path: string) => isSecretPlace(holder, name, peek(holder, name), path);
      const found = args.flatMap((arg) => secretsIn(arg, isSecret));
      return found.length === 0 ? redactor : redactorOf(options, [...new Set([...known, ...found])]);
    } catch {
      return redactor; // what throws when it is looked at has been refused as arguments
    }
  }

  const redactor: Redactor = { text, value, endpoint, json, knowing, results: options.results === true };
  return redactor;
}

/** Hides everything that is a secret by its look or name. */
export const defaultRedactor: Redactor = createRedactor();

function toPlain(items: Map<unknown, unknown> | Set<unknown>): object {
  const found: unknown[] = [];
  for (const item of items) if (found.push(item) > maxEntries) break;
  if (items instanceof Set) return found;
  return Object.fromEntries(
    (found as [unknown, unknown][]).map(([key, item]) => [typeof key === 'object' ? '[object]' : String(key), item]),
  );
}

function toPathPattern(path: string): RegExp {
  const steps = path.split('.').map((step) => {
    if (step === '**') return '(?:[^\\0]*\\0)*';
    return `${step === '*' ? '[^\\0]*' : step.replace(/\W/g, '\\$&')}\\0`;
  });
  return new RegExp(`^${steps.join('')}$`);
}
