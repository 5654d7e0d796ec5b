import { peek } from '../json/index.ts';

/** Reads a string property, cut to a length that is safe to search. */
export function peekString(value: unknown, key: string, most = longest): string | undefined {
  return asString(peek(value, key), most);
}

/** Takes a non-empty string, cut to a length that is safe to search; anything else is undefined. */
export function asString(value: unknown, most = longest): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined;
}

const longest = 8000;
