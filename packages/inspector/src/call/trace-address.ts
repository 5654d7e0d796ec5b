/** Puts a trace id into the template of an address. Only web addresses become links. */
export function traceAddress(template: string | undefined, traceId: string): string | undefined {
  if (template === undefined || !/^https?:\/\//i.test(template)) return undefined;
  return template.replaceAll('{traceId}', encodeURIComponent(traceId));
}
