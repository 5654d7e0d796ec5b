import { isPlain } from './take-json.ts';

/** Makes the `detect` of a format: a question about an object that is answered with no where it cannot even be asked. */
export function looksLike(hasShape: (json: Readonly<Record<string, unknown>>) => boolean): (json: unknown) => boolean {
  return (json) => {
    try {
      return isRecord(json) && hasShape(json);
    } catch {
      return false;
    }
  };
}

/** Tells whether a value is a plain object, of whatever content. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && isPlain(value);
}
