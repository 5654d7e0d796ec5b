import { mapJson } from 'toolpact/internal';
import { encodeStrictly } from '../request/serialize-parameter.ts';

/** Creates a function that takes credentials out of texts, in every form they may have been echoed in. */
export function hideSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= 6).flatMap(formsOf));
  // The longest first: one may be a part of another.
  const hidden = [...forms].sort((a, b) => b.length - a.length);
  return hidden.length === 0 ? asIs : (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}

/** Takes credentials out of parsed JSON too: a text may spell them with escapes, which only parsing undoes. */
export function hideInJson(value: unknown, hide: (text: string) => string): unknown {
  if (hide === asIs) return value;
  return mapJson(value, {
    maxDepth: 1000,
    maxParts: Number.POSITIVE_INFINITY,
    limit: () => '[redacted]',
    leaf: (part) => (typeof part === 'string' ? hide(part) : part),
    key: hide,
  });
}

/** Skips the walk through megabytes where there is nothing to hide. */
const asIs = (text: string): string => text;

function formsOf(secret: string): string[] {
  const inAddresses = [encodeURIComponent(secret.toWellFormed()), encodeStrictly(secret)];
  const small = inAddresses.map((text) => text.replace(/%../g, (code) => code.toLowerCase()));
  const quoted = JSON.stringify(secret).slice(1, -1);
  const inJson = [quoted, quoted.replaceAll('/', '\\/')];
  const ascii = inJson.map((text) => text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));
  return [secret, ...inAddresses, ...small, ...inJson, ...ascii];
}
