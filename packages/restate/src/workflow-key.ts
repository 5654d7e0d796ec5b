/** Gives the key of the workflow that a call is. The tenant is a part of it, so that no tenant can name a call of another. */
export function workflowKey(tenant: string, id: string): string {
  return `${encodeURIComponent(tenant)}/${id}`;
}

/** Reads a key that {@link workflowKey} made. */
export function readWorkflowKey(key: string): { readonly tenant: string; readonly id: string } {
  const at = key.indexOf('/');
  return { tenant: decodeURIComponent(key.slice(0, at)), id: key.slice(at + 1) };
}
