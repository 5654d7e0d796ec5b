import type { Redactor } from './redact.ts';

/**
 * Returns the other side of a call as it may be shown: an address without its query and login, or else the name of a queue or a path as its
 * author wrote it. Undefined where nothing is left.
 */
export function toEndpoint(given: string, redactor: Redactor): string | undefined {
  const name = given.trim().slice(0, longestName);
  const address = redactor.endpoint(name);
  if (address !== undefined) return address;
  // An address that could not be read may hold a login anywhere.
  if (name.includes('://')) return undefined;
  const shown = redactor.text(name.replace(query, '').replace(login, ''));
  return shown === '' ? undefined : shown;
}

const longestName = 256;
const query = /[?#].*$/s;
const login = /^.*@/s;
