import { isRecord } from '../json/index.ts';
import { toText } from './fields.ts';
import type { Fields } from './transcript.ts';

/** The key under which arguments that are no object are kept aside, as they were. */
const malformedKey = '_malformed';

/** Returns the object that must replace stored arguments, or undefined when they are an object already. No text is guessed at. */
export function healArguments(stored: unknown): Fields | undefined {
  if (isRecord(stored)) return undefined;
  if (stored === undefined || stored === null) return {};
  if (typeof stored !== 'string') return { [malformedKey]: parse(toText(stored)) ?? toText(stored) };
  const text = stored.trim();
  if (text === '' || text === 'null') return {};
  const parsed = parse(text);
  // Some models encode their arguments twice; that is unambiguous.
  const value = typeof parsed === 'string' ? parse(parsed) : parsed;
  return isRecord(value) ? value : { [malformedKey]: stored };
}

/** Does the same for formats that store arguments as JSON text. */
export function healArgumentText(stored: unknown): string | undefined {
  if (typeof stored === 'string' && isRecord(parse(stored))) return undefined;
  return toText(healArguments(stored) ?? stored);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
