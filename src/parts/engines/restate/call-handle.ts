/** Gives the key of the workflow that a call is. The tenant is a part of it, so that no tenant can name a call of another. */
export function workflowKey(tenant: string, handle: string): string {
  return `${encodeURIComponent(tenant)}/${handle}`;
}

/** Gives what callers name a call by, from the key of its workflow. */
export function handleOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
