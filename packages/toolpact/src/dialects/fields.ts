import { isRecord } from '../json/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';
import { broken, missing, type Path, wrong } from './reading/undecodable.ts';

/** Reads one field and refuses a wrong one; undefined means that the field counts as absent. */
export type Check = (value: JsonValue, at: Path, key: string | number) => JsonValue | undefined;

/** A field of a record, and whether the record is broken without it. */
export interface Field {
  readonly check: Check;
  readonly required: boolean;
}

/** Creates a field that must be there. */
export function need(check: Check): Field {
  return { check, required: true };
}

/** Creates a field that may be absent. */
export function may(check: Check): Field {
  return { check, required: false };
}

/** Creates a field that may be absent or null, which mean the same. */
export function mayBeNull(check: Check): Field {
  return may((value, at, key) => (value === null ? undefined : check(value, at, key)));
}

/** Checks a value that may be null, and is then null. */
export function orNull(check: Check): Check {
  return (value, at, key) => (value === null ? null : check(value, at, key));
}

/** Checks by a question with a yes or no answer. */
export function that(expected: string, isRight: (value: JsonValue) => boolean): Check {
  return (value, at, key) => (isRight(value) ? value : wrong([...at, key], expected, value));
}

export const text: Check = that('a string', (value) => typeof value === 'string');
export const flag: Check = that('a boolean', (value) => typeof value === 'boolean');
export const amount: Check = that('a number of at least 0', (value) => typeof value === 'number' && value >= 0);
export const count: Check = that('an integer of at least 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
export const integer: Check = that('an integer', (value) => Number.isSafeInteger(value));
export const object: Check = that('an object', isRecord);
export const anything: Check = (value) => value;

/** Checks that a value is one of those listed. */
export function oneOf(values: readonly string[]): Check {
  return that(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value));
}

/** Checks every item of a list. */
export function listOf(check: Check): Check {
  return (value, at, key) => {
    if (!Array.isArray(value)) return wrong([...at, key], 'an array', value);
    const path = [...at, key];
    return Object.freeze(value.map((item: JsonValue, index) => check(item, path, index) ?? null));
  };
}

/** Checks every value of an object whose keys are free. */
export function mapOf(check: Check): Check {
  return (value, at, key) => {
    if (!isRecord(value)) return wrong([...at, key], 'an object', value);
    for (const name of Object.keys(value)) check(value[name] ?? null, [...at, key], name);
    return value;
  };
}

/** Checks an object with known fields. Unknown ones are left out, so that a newer peer may add some. */
export function record(fields: Readonly<Record<string, Field>>): Check {
  const read = reader(fields);
  return (value, at, key) => read(value, [...at, key]);
}

/** Creates the function that checks an object with known fields at a place. */
export function reader(fields: Readonly<Record<string, Field>>): (value: JsonValue, path: Path) => JsonObject {
  const known = new Map(Object.entries(fields));
  const required = Object.keys(fields).filter((name) => fields[name]?.required);
  return (value, path) => {
    if (!isRecord(value)) return wrong(path, 'an object', value);
    const read: Record<string, JsonValue> = {};
    for (const name of Object.keys(value)) {
      const item = known.get(name)?.check(value[name] as JsonValue, path, name);
      if (item !== undefined) read[name] = item;
      else if (name === '__proto__') broken([...path, name], `${[...path, name].join('.')} is not a field of any envelope`);
    }
    for (const name of required) if (!Object.hasOwn(read, name)) missing([...path, name], 'a value');
    return Object.freeze(read);
  };
}
