import { propertyReader } from './peek.ts';
import { readHeader } from './read-header.ts';

/** Where a hint about the right time to try again may be found. */
export interface RetrySources {
  readonly headers: readonly unknown[];
  readonly nodes: readonly object[];
  readonly texts: readonly (string | undefined)[];
  /** Whether the failure is about a rate, so that the limit's reset counts too. */
  readonly limited: boolean;
  readonly now: number;
}

/** Gives the wait the other side asked for, in milliseconds: out of headers, body fields or prose. At most a day, never negative. */
export function retryAfter({ headers, nodes, texts, limited, now }: RetrySources): number | undefined {
  for (const source of headers) {
    const wait = readWaitHeaders(source, limited, now);
    if (wait !== undefined) return wait;
  }
  for (const node of nodes) {
    const [either] = ambiguousField.read(node);
    if (typeof either === 'number' && either >= 0) return within(either < 1000 ? either * 1000 : either);
    for (const [fields, unit] of waitFields) {
      for (const value of fields.read(node)) {
        const wait = typeof value === 'number' ? within(value * unit) : typeof value === 'string' ? readWait(value, now, unit) : undefined;
        if (wait !== undefined) return wait;
      }
    }
  }
  for (const text of texts) {
    const found = text === undefined ? null : prose.exec(text.slice(0, 1000));
    const wait = found === null ? undefined : readDuration(found[1] as string);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** Reads one value as a wait: a number of `unit` milliseconds, a duration such as `1m30s`, an epoch, or a date. */
export function readWait(value: string, now: number, unit = 1000): number | undefined {
  const text = value.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    // A number this large is a moment, not a span: seconds or milliseconds since 1970.
    if (number > 1e11) return within(number - now);
    if (number > 1e9) return within(number * 1000 - now);
    return within(number * unit);
  }
  if (/^\d[^:]*$/.test(text)) return readDuration(text);
  const date = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : within(Math.max(0, date - now));
}

const longestWait = 24 * 60 * 60 * 1000;

const waitFields = [
  [propertyReader((o) => [o.retryAfterMs, o.retry_after_ms, o.retryAfterInMs, o.retryAfterInMilliseconds, o.msBeforeNext]), 1],
  [propertyReader((o) => [o.retry_after, o.retryAfterSeconds, o.retry_after_seconds, o.retryDelay]), 1000],
] as const;
// Libraries give seconds or milliseconds under this name; nobody waits a thousand seconds by it.
const ambiguousField = propertyReader((o) => [o.retryAfter]);

const resetNames = 'x-ratelimit-reset-after ratelimit-reset x-ratelimit-reset x-rate-limit-reset'.split(' ');
const splitNames = ['x-ratelimit-%-requests', 'x-ratelimit-%-tokens', 'anthropic-ratelimit-requests-%', 'anthropic-ratelimit-tokens-%'];

const prose =
  /\b(?:again|retry|retrying|wait|resets?|available|back)\b[^.\d]{0,30}?((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b\s*(?:and\s)?|\d+[hm](?=\d))+)/i;

const unitsInMs: Record<string, number> = { ms: 1, m: 60_000, s: 1000, h: 3_600_000 };

function readWaitHeaders(headers: unknown, limited: boolean, now: number): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'retry-after', 'x-retry-after']) {
    const value = readHeader(headers, name);
    const wait = value === undefined ? undefined : readWait(value, now, name.endsWith('-ms') ? 1 : 1000);
    if (wait !== undefined) return wait;
  }
  if (!limited) return undefined;
  for (const name of resetNames) {
    const value = readHeader(headers, name);
    const wait = value === undefined ? undefined : readWait(value, now);
    if (wait !== undefined) return wait;
  }
  // One budget for requests and one for tokens: the empty one decides, else the later.
  const waits = splitNames.flatMap((name) => {
    const wait = readWait(readHeader(headers, name.replace('%', 'reset')) ?? '', now);
    return wait === undefined ? [] : [{ wait, empty: readHeader(headers, name.replace('%', 'remaining')) === '0' }];
  });
  const empty = waits.filter((entry) => entry.empty);
  if (waits.length > 0) return Math.max(...(empty.length > 0 ? empty : waits).map((entry) => entry.wait));
  // `limit=100, remaining=0, reset=50` and `"default";r=0;t=30`.
  const combined = /\b(?:reset|t)=(\d+)/.exec(readHeader(headers, 'ratelimit') ?? '');
  return combined === null ? undefined : within(Number(combined[1]) * 1000);
}

function readDuration(text: string): number | undefined {
  let total: number | undefined;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(milliseconds?|ms|s|m|h)/gi)) {
    const name = (unit as string).toLowerCase();
    total = (total ?? 0) + Number(amount) * (unitsInMs[name.startsWith('milli') ? 'ms' : name] as number);
  }
  return total === undefined ? undefined : within(total);
}

function within(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 ? Math.min(Math.round(ms), longestWait) : undefined;
}
