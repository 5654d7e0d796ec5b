import { peek } from '../json/index.ts';
import type { Evidence } from './evidence.ts';
import { namesOf } from './names-of.ts';

/** Reads the headers that matter from every Headers instance, Map, plain object, list of pairs or flat list; names in lower case. */
export function readHeaders(sources: readonly object[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const source of sources) {
    let left = 500;
    for (const [key, value] of entriesOf(source)) {
      // An iterator may have no end.
      if (left-- === 0) break;
      const name = String(key).toLowerCase();
      if (/retry-(after|in|pushback)|rate-?limit|request-?id|correlation-id/.test(name) && !found.has(name))
        found.set(name, String(Array.isArray(value) ? value[0] : value).slice(0, 300));
    }
  }
  return found;
}

/**
 * Gives the wait the other side asked for, in milliseconds: out of headers, body fields or prose. `said` is the text that decided,
 * `limited` says that the reset of a limit counts too.
 */
export function retryAfter(
  headers: ReadonlyMap<string, string>,
  { waits, remoteText, ownText }: Evidence,
  said: string | undefined,
  limited: boolean,
  now: number,
): number | undefined {
  for (const [name, value] of headers) {
    const wait = name.includes('retry-') ? readWait(value, now, name.endsWith('-ms') ? 1 : 1000) : undefined;
    if (wait !== undefined) return wait;
  }
  const reset = limited ? latestReset(headers, now) : undefined;
  if (reset !== undefined) return reset;
  for (const [value, unit] of waits) {
    const wait = unit === undefined && !limited ? undefined : readWait(value, now, unit);
    if (wait !== undefined) return wait;
  }
  const [, asked = ''] = request.exec(`${remoteText}\n${ownText}\n${said}`.slice(0, 2000)) ?? [];
  return readWait(asked.replace(/^an?\b/, '1'), now);
}

/** One budget for requests and one for tokens: the empty one decides, else the later. */
function latestReset(headers: ReadonlyMap<string, string>, now: number): number | undefined {
  let latest: number | undefined;
  let empty = false;
  for (const [name, value] of headers) {
    if (!/reset|^ratelimit$/.test(name)) continue;
    // `limit=100, remaining=0, reset=50` and `"default";r=0;t=30`.
    const wait = readWait(/\b(?:reset|t)=(\d+)/.exec(value)?.[1] ?? value, now);
    const isEmpty = headers.get(name.replace('reset', 'remaining')) === '0';
    if (wait === undefined || (empty && !isEmpty)) continue;
    latest = isEmpty === empty ? Math.max(wait, latest ?? 0) : wait;
    empty = isEmpty;
  }
  return latest;
}

/** Reads one value as a wait: a number of `unit` milliseconds, a duration such as `1m30s`, an epoch, or a date. */
export function readWait(value: unknown, now: number, unit = 1000): number | undefined {
  const text = String(value).trim();
  const number = Number(text);
  // A number this large is a moment, not a span: seconds or milliseconds since 1970.
  if (text !== '' && !Number.isNaN(number))
    return within(number > 1e11 ? number - now : number > 1e9 ? number * 1000 - now : number * unit);
  return /^\d[^:]*$/.test(text) ? readDuration(text) : within(/\d{4}/.test(text) ? Math.max(0, Date.parse(text) - now) : -1);
}

// Matches the wait in a sentence: a span, a moment with its time zone, or the number of a quoted header.
const request =
  /\b(?:again|retry(?:ing|_after)?|wait|resets?|available|back|until)\b[^.\d]{0,30}?((?:(?:\d+(?:\.\d+)?\s*|\ban?\s)(?:milli|ms|sec|min|hour|day|[smhd](?![a-z]))[a-z]*\s*(?:and\s)?)+|\d+[- ]\w+[- ]\d+[T ][\d:.]+(?: ?(?:Z|GMT|UTC)|[+-][\d:]+)|\d{10}\b|(?<=retry[-_ ]after["'\s:=]{1,5})\d+\b(?![-/:.]))/i;

function readDuration(text: string): number | undefined {
  let total = Number.NaN;
  for (const [, amount, unit] of text.toLowerCase().matchAll(/([\d.]+)\s*(milli|ms|[smhd])/g))
    total = (total || 0) + Number(amount) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as string] ?? 1);
  return within(total);
}

/** At most a day, never negative. */
function within(ms: number): number | undefined {
  return ms >= 0 ? Math.min(Math.round(ms), 86_400_000) : undefined;
}

function entriesOf(source: object): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(source) && typeof source[0] === 'string')
    return source.slice(0, 400).flatMap((name: unknown, index) => (index % 2 === 0 ? [[name, source[index + 1]] as const] : []));
  return Symbol.iterator in source ? (source as Iterable<[unknown, unknown]>) : namesOf(source).map((name) => [name, peek(source, name)]);
}
