import { type ApiKey, type Authenticate, apiKeys, hashApiKey, jwt } from '@toolpact/server';
import { usageError } from '../cli-error.ts';
import type { Settings } from './read-settings.ts';

/** Creates the authentication out of the settings; undefined when none is set. No message shows any part of a key. */
export function readAuth(settings: Settings): Authenticate[] | undefined {
  const { apiKeys: keys, jwtJwks: jwks, jwtIssuer: issuer, jwtAudience: audience, jwtAlgorithms: algorithms = [] } = settings;
  const authenticators: Authenticate[] = [];
  try {
    if (keys !== undefined) authenticators.push(apiKeys(keys.map(toApiKey)));
    if (jwks !== undefined || issuer !== undefined || audience !== undefined || settings.setBy.has('jwtAlgorithms')) {
      if (jwks === undefined || issuer === undefined || audience === undefined) {
        throw usageError('Tokens need jwtJwks, jwtIssuer and jwtAudience together.');
      }
      authenticators.push(jwt({ jwks, issuer, audience, algorithms }));
    }
  } catch (error) {
    if (error instanceof TypeError) throw usageError(`The authentication settings are not valid: ${error.message}.`);
    throw error;
  }
  return authenticators.length === 0 ? undefined : authenticators;
}

/** Begins the name of a role among the scopes of a key. */
const roleMark = 'role:';

/** Reads `tenant:key` or `tenant:sha256:hash`, with scopes and `role:<name>` after it. */
function toApiKey(written: string, index: number): ApiKey {
  const [credential = '', ...words] = written.split(/\s+/);
  const roles = words.flatMap((word) => (word.startsWith(roleMark) ? [word.slice(roleMark.length)] : []));
  const scopes = words.filter((word) => !word.startsWith(roleMark));
  const colon = credential.indexOf(':');
  const tenantId = credential.slice(0, colon);
  const key = credential.slice(colon + 1);
  if (colon < 1 || key === '') {
    throw usageError(
      `apiKeys has an entry (number ${index + 1}) that is not tenant:key or tenant:sha256:….`,
      'toolpact key <tenant> creates one.',
    );
  }
  return {
    hash: key.startsWith('sha256:') ? key : hashApiKey(key),
    tenantId,
    ...(scopes.length > 0 && { scopes }),
    ...(roles.length > 0 && { roles }),
  };
}
