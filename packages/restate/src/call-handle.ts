/** Gives the key of the workflow that a call is. The tenant is a part of it, so that no tenant can name a call of another. */
export function workflowKey(tenant: string, handle: string): string {
  return `${encodeURIComponent(tenant)}/${callOf(handle)}`;
}

/** Gives what callers name a call by, from the key of its workflow. */
export function handleOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** Gives the tenant of a call, from the key of its workflow. */
export function tenantOf(key: string): string {
  return decodeURIComponent(key.slice(0, key.indexOf('/')));
}

/** Makes the handle of a question that a call asks. */
export function questionHandle(handle: string, question: string): string {
  return `${handle}?${question}`;
}

/** Names the question in a handle; undefined in the handle of a call. */
export function questionIn(handle: string): string | undefined {
  const at = handle.indexOf('?');
  return at < 0 ? undefined : handle.slice(at + 1);
}

/** Names the call in a handle. */
export function callOf(handle: string): string {
  const at = handle.indexOf('?');
  return at < 0 ? handle : handle.slice(0, at);
}

/** Names the calls of one name, one after the other: a name is used again after a failure that freed it. */
export function nthHandle(base: string, uses: number): string {
  return uses === 1 ? base : `${base}~${uses}`;
}
