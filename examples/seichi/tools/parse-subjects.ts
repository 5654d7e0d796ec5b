import { fail, type JsonObject } from 'toolpact';

/** A subject as Bangumi gives it, with everything in it. */
export type Subject = JsonObject & { readonly id: number };

/** Subjects, and what was left out on the way. */
export interface ParsedSubjects {
  readonly subjects: Subject[];
  readonly warnings: string[];
}

/** Reads a page of subjects: of the current interface, of the old one, or a bare list. What has no id is left out, and told. */
export function parseSubjects(json: unknown): ParsedSubjects {
  const list = Array.isArray(json) ? json : isObject(json) ? (json.data ?? json.list) : undefined;
  if (!Array.isArray(list)) throw fail('bad_response', 'Bangumi answered without a list of subjects.');
  const subjects = list.flatMap((item) => toSubject(item) ?? []);
  const skipped = list.length - subjects.length;
  return { subjects, warnings: skipped === 0 ? [] : [`${skipped} of ${list.length} subjects had no usable id and were left out`] };
}

/** Reads one subject; undefined for what is none. Values it does not know stay as they are. */
export function toSubject(item: unknown): Subject | undefined {
  if (!isObject(item) || !Number.isInteger(item.id)) return undefined;
  // The day it was first shown has a new name upstream; callers may still look for it under the documented one.
  const aired = item.air_date ?? item.date;
  return { ...item, ...(aired !== undefined && { air_date: aired }) } as Subject;
}

/** Recognises an object that is no list. */
export function isObject(value: unknown): value is { readonly [key: string]: JsonObject[string] } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
