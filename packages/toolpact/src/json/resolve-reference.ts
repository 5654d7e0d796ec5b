import { isObject } from './unknown-value.ts';

/**
 * Finds the part of a document that a reference such as `#/$defs/city` points at. Undefined for a reference that leads nowhere, for one into
 * another document, which is never fetched, and for one by the name of an anchor.
 */
export function resolveReference(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found = root;
  for (const step of reference.split('/').slice(1)) {
    // In a URI the escapes of a JSON pointer are themselves encoded.
    const name = unescapePointer(decode(step));
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Reads the names in a JSON pointer such as `/lines/0/price`. */
export function readPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapePointer);
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    // A lone percent sign is part of the name.
    return step;
  }
}
