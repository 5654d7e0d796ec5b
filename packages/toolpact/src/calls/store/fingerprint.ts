import { noTenant } from '../../contract/index.ts';
import { canonicalJson, isPlainData, isRecord } from '../../json/index.ts';
import { type Store, StoreFault, secretSpace } from '../../ports/index.ts';
import type { Ask, StoreAnswer } from './ask-store.ts';
import { sha256, sha256Hex, toHex } from './sha256.ts';

/** Returns the SHA-256 of a value in its canonical form, as hex. For what stays in this process; see `Fingerprints` for what is stored. */
export function fingerprint(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** Creates the fingerprints that are stored. Without the secret of the store, values cannot be found by trying them. */
export interface Fingerprints {
  /** Returns the HMAC-SHA-256 of a value in its canonical form, as hex. */
  readonly of: (value: unknown) => string;
  /** Returns a short fingerprint for each field of an object, so that two of them can be compared field by field without keeping either. */
  readonly ofFields: (value: unknown) => Readonly<Record<string, string>>;
}

/** Every process that uses a store finds the secret here; `retentionMs` of a store does not count for this space. */
const at = { space: secretSpace, tenant: noTenant, key: 'fingerprints' };

/** By store object. A secret never changes, so it is read once. */
const fingerprintsByStore = new WeakMap<Store, Fingerprints>();

/** Reads the secret of a store, and makes it where there is none. */
export async function loadFingerprints(store: Store, ask: Ask): Promise<StoreAnswer<Fingerprints>> {
  const prints = fingerprintsByStore.get(store);
  if (prints !== undefined) return { ok: true, value: prints };
  const answer = await ask(() => readSecretOnce(store));
  if (!answer.ok) return answer;
  const fingerprints = createFingerprints(answer.value);
  fingerprintsByStore.set(store, fingerprints);
  return { ok: true, value: fingerprints };
}

/** The first calls of a process begin at once, and all need it. A store that hangs is asked again by those that come later. */
function readSecretOnce(store: Store): Promise<string> {
  const last = readings.get(store);
  if (last !== undefined && performance.now() - last.at < sharedForMs) return last.secret;
  const secret = readSecret(store);
  readings.set(store, { at: performance.now(), secret });
  // One that fails is not shared.
  secret.catch(() => readings.delete(store));
  return secret;
}

const readings = new WeakMap<Store, { readonly at: number; readonly secret: Promise<string> }>();
const sharedForMs = 100;

async function readSecret(store: Store): Promise<string> {
  const record = await store.get(at);
  if (record !== undefined) return secretIn(record.value);
  const secret = newSecret();
  const written = await store.put({ ...at, value: { v: 1, secret } }, 0);
  if (written?.ok === true) return secret;
  // Another process was faster; its secret counts.
  return secretIn(written?.current?.value);
}

function secretIn(value: unknown): string {
  const { v, secret } = isRecord(value) ? value : {};
  if (v === 1 && typeof secret === 'string' && /^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new StoreFault('the store gave a secret that cannot be read here');
}

/** Creates a secret: 64 hex digits, which fill one block of SHA-256. */
function newSecret(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Makes fingerprints with a secret. Two one-shot hashes are HMAC (RFC 2104) at less than half the price of `createHmac`. */
export function createFingerprints(secret: string): Fingerprints {
  const inner = masked(secret, 0x36);
  // The key block, then room for the inner digest.
  const outer = new Uint8Array(96);
  outer.set(new TextEncoder().encode(masked(secret, 0x5c)));
  const of = (value: unknown): string => {
    outer.set(sha256(inner + canonicalJson(value)), 64);
    return sha256Hex(outer);
  };
  const short = (field: unknown): string => of(field).slice(0, 32);
  return {
    of,
    ofFields(value) {
      if (!isRecord(value)) return { '': short(value) };
      const prints: Record<string, string> = {};
      for (const key of Object.keys(value)) {
        if (key === '__proto__') Object.defineProperty(prints, key, { value: short(value[key]), enumerable: true, configurable: true });
        else prints[key] = short(value[key]);
      }
      return prints;
    },
  };
}

/** The digits of a secret, each with some of its bits turned over; all of them stay ASCII. */
function masked(secret: string, mask: number): string {
  return String.fromCharCode(...Array.from(secret, (digit) => digit.charCodeAt(0) ^ mask));
}

/** Returns the arguments by which calls are compared: as checked, or as received where the checked ones are not plain data. */
export function argumentsOf({ input, received }: { readonly input: unknown; readonly received: unknown }): unknown {
  return isPlainData(input) ? input : received;
}
