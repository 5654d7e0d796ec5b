/** Returns the key of the workflow that a call is. The tenant is a part of it, so that no tenant can name a call of another. */
export function workflowKey(tenant: string, id: string): string {
  return `${encodeURIComponent(toEscaped(tenant))}/${toEscaped(id)}`;
}

/** Reads a key that {@link workflowKey} made. */
export function readWorkflowKey(key: string): { readonly tenant: string; readonly id: string } {
  const at = key.indexOf('/');
  return { tenant: fromEscaped(decodeURIComponent(key.slice(0, at))), id: fromEscaped(key.slice(at + 1)) };
}

/** Writes half a character, which no address can hold, as JSON does. Plain text stays as it is. */
function toEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function fromEscaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}
