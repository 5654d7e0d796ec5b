import { ToolpactError } from '../outcome/index.ts';

/** A key with which webhooks are signed and checked. */
export type WebhookKey = () => Promise<CryptoKey>;

/** The parts that a signature covers. */
export interface SignedParts {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: string;
}

const shortest = 24;
const longest = 64;

/** Reads secrets as Standard Webhooks writes them; `what` names the function that was given them. */
export function readSecrets(what: string, secret: string | readonly string[]): readonly WebhookKey[] {
  const secrets = Array.isArray(secret) ? (secret as readonly unknown[]) : [secret];
  const bytes = secrets.map(readSecret);
  if (bytes.length === 0 || bytes.includes(undefined))
    throw new ToolpactError(
      'invalid_option',
      `${what}: secret must be "whsec_" and ${shortest} to ${longest} random bytes as base64: openssl rand -base64 32`,
      { option: 'secret' },
    );
  return bytes.map((key) => {
    let loaded: Promise<CryptoKey> | undefined;
    return () => {
      loaded ??= crypto.subtle.importKey('raw', key as Bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
      return loaded;
    };
  });
}

/** Signs a message with each key: during a change of secrets there are two. */
export async function sign(keys: readonly WebhookKey[], parts: SignedParts): Promise<string> {
  const signed = await Promise.all(keys.map(async (key) => crypto.subtle.sign('HMAC', await key(), contentOf(parts))));
  return signed.map((bytes) => `v1,${toBase64(new Uint8Array(bytes))}`).join(' ');
}

/** Checks whether one of the signatures of a message was made with one of the keys. */
export async function isSigned(keys: readonly WebhookKey[], signatures: string, parts: SignedParts): Promise<boolean> {
  const content = contentOf(parts);
  for (const signature of signatures.split(' ').slice(0, mostSignatures)) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    if (bytes === undefined) continue;
    for (const key of keys) if (await crypto.subtle.verify('HMAC', await key(), bytes, content)) return true;
  }
  return false;
}

/** More are not looked at: each costs a computation. */
const mostSignatures = 10;

type Bytes = Uint8Array<ArrayBuffer>;

function contentOf({ id, timestamp, body }: SignedParts): Bytes {
  return new TextEncoder().encode(`${id}.${timestamp}.${body}`);
}

function readSecret(secret: unknown): Bytes | undefined {
  if (typeof secret !== 'string' || !secret.startsWith('whsec_')) return undefined;
  const bytes = fromBase64(secret.slice('whsec_'.length));
  return bytes !== undefined && bytes.length >= shortest && bytes.length <= longest ? bytes : undefined;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
