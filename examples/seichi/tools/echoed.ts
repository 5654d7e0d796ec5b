import { isObject } from './parse-subjects.ts';

/**
 * Gives back an argument as it was received, for answers that repeat it; the stand-in where there is none. Arguments that broke the schema
 * are repeated too, so they can be anything.
 */
export function echoed<TValue>(input: unknown, name: string, otherwise: TValue): TValue {
  const value = isObject(input) ? input[name] : undefined;
  return (value === undefined ? otherwise : value) as TValue;
}
