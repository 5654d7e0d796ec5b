import { isRecord } from 'toolpact/internal';
/** Says why a part of a description cannot be used. It costs one operation, never the others. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

/** A JSON object of a description; nothing in it is believed without a look. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Recognises a JSON object. */
export function isMap(value: unknown): value is JsonMap {
  return isRecord(value);
}

/** Returns a value as an object; an empty one where it is something else. */
export function asMap(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

/** Returns a value as a text; undefined where it is empty or something else. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a value as a list; an empty one where it is something else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
