import { ToolpactError } from '../outcome/index.ts';

/** Writes a value as text; throws where it is no JSON at all. */
export function encodeValue(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new ToolpactError('invalid_argument', 'A record needs a value that is JSON.');
  return text;
}

/**
 * Writes any text so that every database keeps it apart from all others: PostgreSQL refuses NUL, and half a surrogate pair would become
 * a replacement character. Plain text stays as it is.
 */
export function encodeText(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text).slice(1, -1);
}

/** All but control characters, quotes, backslashes and surrogates. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Reads text that {@link encodeText} wrote. */
export function decodeText(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
