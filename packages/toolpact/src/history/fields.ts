import { isRecord } from '../json/index.ts';
import type { Fields } from './transcript.ts';

/** Returns an object's own fields, copied, so that nothing is read twice from an object that may be hostile. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isRecord(value) ? { ...value } : undefined;
}

/** Reads an id; undefined where it is not a text. */
export function idOf(value: unknown): string {
  return textOf(value) ?? '';
}

/** Returns a text, or nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Checks whether a text or a list of parts says nothing. */
export function isBlank(content: unknown): boolean {
  if (content === undefined || content === null) return true;
  return typeof content === 'string' ? content.trim() === '' : Array.isArray(content) && content.length === 0;
}

/** Writes a value as text: itself, its JSON, or whatever can be said of it. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Returns content that OpenAI takes: a text, or a list of parts that is not empty. */
export function healText(content: unknown): unknown {
  if (typeof content === 'string' || (Array.isArray(content) && content.length > 0)) return content;
  return isBlank(content) ? '' : toText(content);
}

/** Cuts an id or a name to the length a provider takes, and replaces what its pattern forbids. */
export function fitted(text: string, most: number, forbidden?: RegExp): string {
  return (forbidden === undefined ? text : text.replace(forbidden, '_')).slice(0, most);
}

/** Characters that OpenAI and Anthropic forbid in ids and tool names. */
export const unfit: RegExp = /[^a-zA-Z0-9_-]/g;
