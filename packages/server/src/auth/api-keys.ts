import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ToolpactError } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { type Authenticate, findUnknownScopes, type Identity, scopesNote } from './identity.ts';

/** A key as a server knows it: not the key, only its hash. */
export interface ApiKey {
  /** The hash of the key, made by {@link hashApiKey}. */
  readonly hash: string;
  readonly tenantId: string;
  /** Names the key in limits and audits. @default the first digits of its hash */
  readonly keyId?: string;
  readonly subject?: string;
  /** @default every tool, nothing to administer */
  readonly scopes?: readonly string[];
  /** Roles of the owner in the organisation, such as `finance`: a tool may require one for decisions about its calls. */
  readonly roles?: readonly string[];
}

const prefix = 'sha256:';
const digits = 64;
const shortest = 24;

/**
 * Authenticates by API keys, sent as `Authorization: Bearer …` or `X-API-Key`. Only hashes are kept, and what is sent is compared with them in
 * constant time, however many there are. Throws at once for an entry that could never be used.
 */
export function apiKeys(keys: readonly ApiKey[]): Authenticate {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new ToolpactError('invalid_option', 'apiKeys takes an array of at least one key: [{ hash: hashApiKey(key), tenantId }]');
  const entries = keys.map(toEntry);
  const byDigest = new Map(entries.map((entry) => [entry.digest.toString('latin1'), entry]));
  if (byDigest.size < entries.length) throw new ToolpactError('invalid_option', 'two API keys have the same hash; leave one of them out');
  const ids = entries.map(({ identity }) => identity.keyId);
  const repeated = ids.find((id, place) => ids.indexOf(id) < place);
  if (repeated !== undefined)
    throw new ToolpactError('invalid_option', `two API keys have the keyId "${repeated}"; give each one of its own`);
  const unknown = { digest: Buffer.alloc(digits), identity: undefined };
  return ({ headers }) => {
    const key = headers.get('x-api-key') ?? bearerOf(headers.get('authorization'));
    if (key === undefined) return undefined;
    const digest = digestOf(key);
    // A caller cannot choose the hash of a key, so the time of the lookup reveals nothing about the keys.
    const entry = byDigest.get(digest) ?? unknown;
    return timingSafeEqual(entry.digest, Buffer.from(digest, 'latin1')) ? entry.identity : undefined;
  };
}

/** Creates a new key: the key itself, to be given away once, and its hash, to be kept. */
export function createApiKey(): { readonly key: string; readonly hash: string } {
  const key = `tpk_${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashApiKey(key) };
}

/** Hashes a key for keeping. A fast hash is enough only because keys cannot be guessed, so short ones are refused with a `TypeError`. */
export function hashApiKey(key: string): string {
  if (typeof key !== 'string' || key.length < shortest)
    throw new ToolpactError('invalid_option', `an API key needs at least ${shortest} characters; createApiKey() makes one`);
  return `${prefix}${digestOf(key)}`;
}

/** Reads the token of an `Authorization` header. */
export function bearerOf(header: string | null): string | undefined {
  return header === null ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

function digestOf(key: string): string {
  return hash('sha256', key, 'hex');
}

interface Entry {
  readonly digest: Buffer;
  readonly identity: Identity;
}

function toEntry(key: ApiKey): Entry {
  refuseOptions<ApiKey>('an API key', key, { hash: true, tenantId: true, keyId: true, subject: true, scopes: true, roles: 'an array' });
  const { hash: kept, tenantId, scopes, subject, roles } = key;
  if (typeof kept !== 'string' || !/^sha256:[\da-f]{64}$/.test(kept)) {
    throw new ToolpactError('invalid_option', 'the hash of an API key must be what hashApiKey gives; keys themselves are not kept');
  }
  if (typeof tenantId !== 'string' || tenantId === '') throw new ToolpactError('invalid_option', 'an API key needs a tenantId');
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))) {
    throw new ToolpactError('invalid_option', 'the scopes of an API key must be texts');
  }
  if (roles?.some((role) => typeof role !== 'string')) throw new ToolpactError('invalid_option', 'the roles of an API key must be texts');
  const [unknown] = findUnknownScopes(scopes ?? []);
  if (unknown !== undefined) throw new ToolpactError('invalid_option', `an API key has the unknown scope "${unknown}"; ${scopesNote}`);
  const keyId = key.keyId ?? kept.slice(prefix.length, prefix.length + 12);
  const identity = {
    tenantId,
    keyId,
    ...(subject !== undefined && { subject }),
    ...(scopes !== undefined && { scopes: Object.freeze([...scopes]) }),
    ...(roles !== undefined && { roles: Object.freeze([...roles]) }),
  };
  return { digest: Buffer.from(kept.slice(prefix.length), 'latin1'), identity: Object.freeze(identity) };
}
