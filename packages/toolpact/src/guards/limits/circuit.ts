import { askFor } from '../../calls/index.ts';
import type { JsonValue } from '../../outcome/index.ts';
import type { GuardedCall, PutResult, RecordKey, StoredRecord } from '../../ports/index.ts';
import { addToLimit } from './add-to-limit.ts';
import type { LimitKey } from './limit-key.ts';
import type { LimitStore } from './process-store.ts';

/** The stored state of a circuit that is not closed. */
interface OpenCircuit {
  readonly v: 1;
  readonly openMs: number;
  readonly openUntil: number;
  /** Until when the one call that tries whether things work again has to be back. */
  readonly probeUntil?: number;
}

/** A circuit's answer to a call: run, run as the probe of an open circuit, do not run, or unknown because the store was silent. */
export type Passage =
  | { readonly is: 'closed' }
  | { readonly is: 'probe'; readonly version: number; readonly openMs: number }
  | { readonly is: 'open'; readonly retryAfterMs: number }
  | { readonly is: 'hidden'; readonly why: string };

/** A call's change of its circuit. */
export type CircuitChange =
  | { readonly to: 'open'; readonly openMs: number }
  | { readonly to: 'closed' }
  | { readonly to: 'hidden'; readonly why: string }
  | undefined;

/** The numbers of a circuit. */
export interface CircuitRule {
  readonly failures: number;
  readonly windowMs: number;
  readonly openMs: number;
  readonly maxOpenMs: number;
}

/** One circuit in a store. Every change is one compare-and-set, so of many processes exactly one makes it. Nothing here rejects. */
export interface Circuit {
  readonly pass: () => Promise<Passage>;
  /** Counts a failure; opens the circuit when there are too many. Tells until when this failure counts. */
  readonly countFailure: () => Promise<{ readonly change: CircuitChange; readonly until: number }>;
  /** Takes failures back that a success has made good. */
  readonly takeBack: (failures: number) => Promise<void>;
  /** Ends a probe: it failed, it went well, or its result is not known. */
  readonly endProbe: (probe: Extract<Passage, { is: 'probe' }>, verdict: 'bad' | 'good' | undefined) => Promise<CircuitChange>;
}

/** Opens the place of one circuit for one call. */
export function openCircuit(
  call: GuardedCall,
  store: LimitStore,
  { tenant, key }: LimitKey,
  rule: CircuitRule,
  now: () => number,
): Circuit {
  const at: RecordKey = { space: 'circuit', tenant, key };
  const counter: RecordKey = { space: 'circuit-failures', tenant, key };
  const ask = askFor(call, store);
  const write = (value: OpenCircuit, expect: number) =>
    // Longer than it is open, so that a circuit that fails its probe is known to have been open before.
    ask(() => store.put({ ...at, value: value as unknown as JsonValue, keepMs: value.openUntil - now() + 2 * rule.maxOpenMs }, expect));

  async function open(openMs: number, expect: number): Promise<CircuitChange> {
    const answer = await write({ v: 1, openMs, openUntil: now() + openMs }, expect);
    if (!answer.ok) return { to: 'hidden', why: answer.why };
    return answer.value?.ok === true ? { to: 'open', openMs } : undefined;
  }

  return {
    async pass() {
      const answer = await ask(() => store.get(at));
      if (!answer.ok) return { is: 'hidden', why: answer.why };
      if (answer.value === undefined) return { is: 'closed' };
      const circuit = read(at, answer.value);
      if (circuit === undefined) return { is: 'hidden', why: 'the store gave a record that cannot be read here' };
      const { openUntil, openMs, probeUntil = 0 } = circuit;
      const time = now();
      const shutUntil = Math.max(openUntil, probeUntil);
      // No circuit is open that long: a store with a wrong time must not refuse calls for ever.
      if (shutUntil - time > 2 * rule.maxOpenMs) return { is: 'hidden', why: 'the store gave a time that cannot be' };
      if (time < shutUntil) return { is: 'open', retryAfterMs: Math.ceil(shutUntil - time) };
      const probe: OpenCircuit = { v: 1, openMs, openUntil, probeUntil: time + Math.min(call.remainingMs + 1000, rule.maxOpenMs) };
      const claimed = await write(probe, answer.value.version);
      if (!claimed.ok) return { is: 'hidden', why: claimed.why };
      const put: Partial<Extract<PutResult, { ok: true }>> = claimed.value?.ok === true ? claimed.value : {};
      // Another call is the probe now; how long it takes is not known.
      return put.version === undefined
        ? { is: 'open', retryAfterMs: Math.min(1000, openMs) }
        : { is: 'probe', version: put.version, openMs };
    },
    async countFailure() {
      const answer = await addToLimit(call, store, counter, 1, rule.windowMs);
      if (!answer.ok) return { change: { to: 'hidden', why: answer.why }, until: 0 };
      const { count, leftMs } = answer.value;
      const until = now() + leftMs;
      return { change: count < rule.failures ? undefined : await open(rule.openMs, 0), until };
    },
    async takeBack(failures) {
      await addToLimit(call, store, counter, -failures, rule.windowMs);
    },
    async endProbe({ version, openMs }, verdict) {
      if (verdict === 'bad') return open(Math.min(openMs * 2, rule.maxOpenMs), version);
      if (verdict === 'good') {
        const answer = await ask(() => store.remove(at, version));
        if (!answer.ok) return { to: 'hidden', why: answer.why };
        if (answer.value !== true) return undefined;
        // Reset the count of failures: the circuit opens again only after as many new ones.
        const counted = await addToLimit(call, store, counter, 0, rule.windowMs);
        if (counted.ok && counted.value.count > 0) await addToLimit(call, store, counter, -counted.value.count, rule.windowMs);
        return { to: 'closed' };
      }
      // The next call may try at once.
      const answer = await write({ v: 1, openMs, openUntil: now() }, version);
      return answer.ok ? undefined : { to: 'hidden', why: answer.why };
    },
  };
}

/** Reads how a circuit stands, for those who look after it; undefined where it is closed. Rejects when the store does not answer. */
export async function readCircuit(
  store: LimitStore,
  { tenant, key }: LimitKey,
  now: () => number,
): Promise<{ readonly state: 'open' | 'probing'; readonly until: number } | undefined> {
  const at: RecordKey = { space: 'circuit', tenant, key };
  const record = await store.get(at);
  const circuit = record && read(at, record);
  if (circuit === undefined) return undefined;
  const { openUntil, probeUntil = 0 } = circuit;
  // After its time an open circuit waits for a call that tries.
  return probeUntil > now() ? { state: 'probing', until: probeUntil } : { state: openUntil > now() ? 'open' : 'probing', until: openUntil };
}

/** Believes a record only if it is the one asked for and holds an open circuit. */
function read(at: RecordKey, record: StoredRecord): OpenCircuit | undefined {
  const { space, tenant, key, version } = (record ?? {}) as Partial<StoredRecord>;
  const value = (record?.value ?? {}) as unknown as Partial<OpenCircuit>;
  const isAsked = space === at.space && tenant === at.tenant && key === at.key && Number(version) > 0;
  const isFit = value.v === 1 && Number.isFinite(value.openUntil) && Number(value.openMs) > 0;
  return isAsked && isFit && (value.probeUntil === undefined || Number.isFinite(value.probeUntil)) ? (value as OpenCircuit) : undefined;
}
