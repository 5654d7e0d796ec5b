import { hash } from 'node:crypto';

/** Keys up to this length stay as they are, so that those made one after the other, such as the ids of calls, lie side by side in the index. */
const longestKey = 36;

/**
 * Names one record in a few characters: every write copies a page of the index, and short names keep that small. Takes text as it is stored.
 */
export function recordId(scope: string, key: string): string {
  return key.length <= longestKey ? `${scope}:${key}` : `${scope}#${digest(key, 22)}`;
}

/** Names all records of a space and tenant. Remembers what it has named lately. */
export function scopeId(space: string, tenant: string): string {
  const name = JSON.stringify([space, tenant]);
  let id = scopes.get(name);
  if (id === undefined) {
    if (scopes.size >= maxScopes) scopes.clear();
    id = digest(name, 16);
    scopes.set(name, id);
  }
  return id;
}

const maxScopes = 1000;
const scopes = new Map<string, string>();

function digest(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}
