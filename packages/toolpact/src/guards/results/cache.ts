import { askFor, askStore, fingerprint, loadFingerprints } from '../../calls/index.ts';
import type { CallContext } from '../../contract/index.ts';
import { canonicalJson, isPlainData } from '../../json/index.ts';
import type { JsonValue, Meta, OkOutcome, Outcome } from '../../outcome/index.ts';
import type { Guard, GuardedCall, RecordKey, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { createBoundedMap, createSingleFlight } from '../../time/index.ts';

/** Where results are kept, and how many. */
interface CacheOptions {
  /** Shares results with other processes, next to this one's own memory. */
  readonly store?: Store;
  /** How many results this process holds. @default 1000 */
  readonly maxEntries?: number;
  /** How many characters they may have together. @default 16_000_000 */
  readonly maxChars?: number;
  readonly now?: () => number;
}

/** How long a call waits for a store that it can do without. */
const patienceMs = 250;

/** A result as it is kept: text, so that no caller can change it. */
interface Kept {
  readonly v: 1;
  readonly text: string;
}

/** A result that this process holds. */
interface Held {
  readonly text: string;
  readonly expiresAt: number;
}

/** How a run ended for those who wait for it; without text each has to run itself. */
interface Landing {
  readonly text: string | undefined;
}

/**
 * Keeps the results of tools with `effects: 'none'` that declare `cache: { ttlMs }`, and gives them to equal calls with `meta.cacheHit`.
 * Calls that come while an equal one runs wait for its answer, a failure too; only results are kept. A caller that stops waiting does not disturb the others,
 * and when the caller of the running one stops it, one of those who wait runs in its place. No call needs the store: while it fails the tool
 * runs, with a warning. A result in which there is something to redact stays in this process. Besides tenant, tool and arguments a result
 * depends on all that a tool can see of its caller: user, locale, safety mode, credentials, agent, and the resources that are named.
 */
export function cache(options: CacheOptions = {}): Guard {
  const { store, maxEntries = 1000, maxChars = 16_000_000, now = Date.now } = options;
  const results = createBoundedMap<Held>({ maxEntries, maxWeight: maxChars, now });
  const flights = createSingleFlight<Landing>();
  const hold = (key: string, text: string, keepMs: number): void => {
    const expiresAt = now() + keepMs;
    results.set(key, { text, expiresAt }, expiresAt, text.length);
  };

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const ttlMs = call.tool.effects === 'none' ? call.tool.cache?.ttlMs : undefined;
    if (ttlMs === undefined) return next();
    const key = keyOf(call);
    if (key === undefined) {
      call.warn('not cached: what the result depends on cannot be compared');
      return next();
    }
    while (call.outcome === undefined) {
      const kept = results.get(key);
      // One that has far more time left than it was given was kept before the clock was set back.
      if (kept !== undefined && kept.expiresAt - now() <= 2 * ttlMs) return call.replay(fromText(kept.text), { cacheHit: true });
      const flight = flights.join(key, call.signal);
      if (flight === undefined) return fly(call, next, key, ttlMs);
      const landed = await flight;
      if (landed?.text === undefined) {
        if (landed !== undefined) return next();
        if (call.signal.aborted) break;
        continue;
      }
      const outcome = fromText(landed.text);
      return call.replay(outcome, outcome.status === 'error' ? {} : { cacheHit: true });
    }
    return call.outcome ?? call.refuse('cancelled', `${call.tool.name} was stopped while it waited for an equal call.`, { effect: 'none' });
  }

  /** Runs the call for all who wait for it. */
  async function fly(call: GuardedCall, next: () => Promise<Outcome>, key: string, ttlMs: number): Promise<Outcome> {
    const land = flights.start(key);
    // It was ended by its own caller or deadline, which does not answer the others.
    call.onEnd(() => land(undefined));
    try {
      const stored = await readStore(call, key);
      if (stored.hit !== undefined) {
        hold(key, stored.hit.text, Math.min(stored.hit.leftMs, ttlMs));
        land(stored.hit);
        return call.replay(fromText(stored.hit.text), { cacheHit: true });
      }
      const outcome = await next();
      const text = outcome.status === 'pending' ? undefined : toText(outcome, stored.warning);
      if (text !== undefined && outcome.status === 'ok') keep(call, key, text, ttlMs, stored.at);
      land({ text });
      return outcome;
    } finally {
      land(undefined);
    }
  }

  /** Looks for a result in the store. `at` is where this call's own result belongs, if the store can be used. */
  async function readStore(call: GuardedCall, key: string): Promise<StoreRead> {
    if (store === undefined) return {};
    const notRead = (why: string): StoreRead => {
      const warning = call.redactText(`the shared cache was not read: ${why}`);
      call.warn(warning);
      return { warning };
    };
    const ask = askFor(call, store, { maxMs: patienceMs });
    const prints = await loadFingerprints(store, ask);
    const at = { space: 'cache', tenant: call.tenantId, key: prints.ok ? prints.value.of(key) : '' };
    const answer = prints.ok ? await ask(() => store.get(at)) : prints;
    if (!answer.ok) return notRead(answer.why);
    const { value, leftMs, key: got, tenant } = (answer.value ?? {}) as Partial<{ value: Partial<Kept>; leftMs: number } & typeof at>;
    if (answer.value === undefined) return { at };
    const isAsked = got === at.key && tenant === at.tenant && typeof leftMs === 'number' && leftMs > 0;
    if (isAsked && value?.v === 1 && typeof value.text === 'string' && isKept(value.text)) return { at, hit: { text: value.text, leftMs } };
    return notRead('the store gave a record that cannot be read here');
  }

  function keep(call: GuardedCall, key: string, text: string, ttlMs: number, at: RecordKey | undefined): void {
    hold(key, text, ttlMs);
    if (store === undefined || at === undefined || JSON.stringify(call.redact(JSON.parse(text))) !== text) return;
    const value: Kept = { v: 1, text };
    // Not awaited: the next process that asks finds it or runs.
    void askStore(() => store.put({ ...at, value: { ...value }, keepMs: ttlMs }, 0));
  }

  return defineGuard({ name: 'cache', once: true, phase: 'result', provides: ['cache'], around });
}

/** The cache's answer: the place for the result, an earlier result, or a warning that the store was not read. */
interface StoreRead {
  readonly at?: RecordKey;
  readonly hit?: { readonly text: string; readonly leftMs: number };
  readonly warning?: string;
}

/** Names the call; undefined when it cannot be compared with others. */
function keyOf(call: GuardedCall): string | undefined {
  try {
    const on = visibleContext(call);
    return isPlainData(on) && isPlainData(call.input)
      ? fingerprint([call.tenantId, call.tool.name, canonicalJson(on), canonicalJson(call.input)])
      : undefined;
  } catch {
    return undefined;
  }
}

const visible = ['userId', 'locale', 'safetyMode', 'auth', 'agentName', 'ids'] as const satisfies readonly (keyof CallContext)[];

function visibleContext({ context }: GuardedCall): JsonValue {
  return Object.fromEntries(visible.map((name) => [name, context[name] as JsonValue | undefined])) as JsonValue;
}

const lasting = ['resourceType', 'sourceCounts', 'routing', 'resultRef', 'truncated'] as const satisfies readonly (keyof Meta)[];

/** Writes an outcome down without what belongs to the call that ran: its ids and arguments, and the tokens it alone has spent. */
function toText({ input: _, meta, ...rest }: Outcome, ownWarning: string | undefined): string {
  const facts = Object.fromEntries(lasting.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]])));
  // Leave out the warning about this call's own trouble with the store.
  const warnings = meta.warnings?.filter((warning) => warning !== ownWarning);
  return JSON.stringify({
    ...rest,
    meta: { tookMs: meta.tookMs, attempts: 0, ...facts, ...(warnings !== undefined && warnings.length > 0 && { warnings }) },
  });
}

/** Gives each caller a copy: data is the tool's own, and callers may write into it. */
function fromText(text: string): Outcome {
  const outcome = JSON.parse(text) as Outcome;
  if (outcome.status === 'error') Object.freeze(outcome.error);
  return outcome;
}

function isKept(text: string): boolean {
  try {
    const { status, meta, data } = JSON.parse(text) as Partial<OkOutcome>;
    return status === 'ok' && data !== undefined && typeof meta?.tookMs === 'number';
  } catch {
    return false;
  }
}
