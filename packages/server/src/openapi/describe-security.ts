import type { JsonObject } from 'toolpact';
import type { Authenticate } from '../auth/identity.ts';

const credential = /^(?:authorization|.*(?:key|token|secret|credential).*)$/;

/**
 * Finds out in which headers a server takes credentials: each authenticator is asked about a request that has none, and the headers it looks
 * for are those. Nothing has to be declared twice, and own authenticators are described too.
 */
export function credentialHeaders(authenticators: readonly Authenticate[]): string[] {
  const asked = new Set<string>();
  const headers = {
    get(name: string): null {
      asked.add(name.toLowerCase());
      return null;
    },
  };
  for (const authenticate of authenticators) {
    try {
      Promise.resolve(authenticate({ method: 'GET', url: '/openapi.json', headers })).catch(() => undefined);
    } catch {
      // If one cannot describe itself, the others are still described.
    }
  }
  const found = [...asked].filter((name) => credential.test(name)).sort();
  return authenticators.length > 0 && found.length === 0 ? ['authorization'] : found;
}

/** Describes credentials that are sent in these headers: each of them is enough. */
export function describeSecurity(headers: readonly string[]): { readonly schemes: JsonObject; readonly security: readonly JsonObject[] } {
  const schemes = Object.fromEntries(
    headers.map((name) =>
      name === 'authorization'
        ? ['bearer', { type: 'http', scheme: 'bearer', description: 'An API key or a signed token, as `Authorization: Bearer …`.' }]
        : [name, { type: 'apiKey', in: 'header', name, description: `A credential in the header ${name}.` }],
    ),
  );
  return { schemes, security: Object.keys(schemes).map((name) => ({ [name]: [] })) };
}
