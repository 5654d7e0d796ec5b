import { isPlain, isRecord } from '../../json/index.ts';

/** Creates the `detect` of a format: a question about an object that is answered with no where it cannot even be asked. */
export function looksLike(hasShape: (json: Readonly<Record<string, unknown>>) => boolean): (json: unknown) => boolean {
  return (json) => {
    try {
      return isRecord(json) && isPlain(json) && hasShape(json);
    } catch {
      return false;
    }
  };
}
