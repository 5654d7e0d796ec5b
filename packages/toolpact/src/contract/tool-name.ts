export { toNameKey } from '../json/index.ts';

const allowed = /^[A-Za-z][\w.-]*(:[A-Za-z\d][\w.-]*)?$/;
const longest = 64;

/** Says what is wrong with a tool's name, or nothing. Names are `action` or `resource:action`. */
export function checkToolName(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'a tool needs a name';
  if (name.length <= longest && allowed.test(name)) return undefined;
  const quoted = JSON.stringify(name.slice(0, longest));
  return `the tool name ${quoted} must be letters, digits, "_", "." or "-", at most ${longest}, optionally as resource:action`;
}

/** Returns the form of a name that every model provider accepts: `rag:search` becomes `rag_search`. */
export function toProviderName(name: string): string {
  return name.replace(/[^\w-]/g, '_');
}
