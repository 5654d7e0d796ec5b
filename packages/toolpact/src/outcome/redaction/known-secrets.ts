import { isObject, peek } from '../../json/index.ts';
import { hidden } from './hidden.ts';

/** Says whether what an object holds under a name is a secret; the path leads to it, each step ended by a null character. */
export type IsSecret = (holder: object, name: string, path: string) => boolean;

const shortest = 6;
const mostLooked = 5_000;
const mostWanted = 500;
const longest = 65_536;
const longestPiece = 4_000;
const deepest = 16;

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly isSecret: boolean;
  readonly depth: number;
}

/**
 * Lists the values of secrets in the arguments of a call, in each spelling in which a text may repeat them, the longest first. Shorter ones
 * than six characters are in any text. What lies near the top is looked at first, and so much at most.
 */
export function secretsIn(args: unknown, isSecret: IsSecret): readonly string[] {
  const wanted = new Set<string>();
  const places: Place[] = [{ value: args, path: '', isSecret: false, depth: 0 }];
  let left = mostLooked;
  for (let at = 0; at < places.length && wanted.size < mostWanted; at++) {
    const { value, path, isSecret: isBelow, depth } = places[at] as Place;
    if (!isObject(value)) {
      if (isBelow && (typeof value === 'string' || typeof value === 'number'))
        for (const text of spellingsOf(String(value))) wanted.add(text);
      continue;
    }
    if (depth >= deepest) continue;
    for (const name of Object.keys(value)) {
      if (left-- <= 0) break;
      const held = peek(value, name);
      const inner = `${path}${name}\0`;
      const isWanted = isBelow || (held !== undefined && isSecret(value, name, inner));
      if (isWanted || isObject(held)) places.push({ value: held, path: inner, isSecret: isWanted, depth: depth + 1 });
    }
  }
  return [...wanted].sort((a, b) => b.length - a.length);
}

/** Hides values in a text, also one of which the end was cut off together with that of the text. */
export function hideKnown(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => withoutStart(rest.includes(secret) ? rest.replaceAll(secret, hidden) : rest, secret), text);
}

function withoutStart(text: string, secret: string): string {
  const head = secret.slice(0, shortest);
  const from = Math.max(0, text.length - secret.length);
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1))
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + hidden;
  return text;
}

/** A secret as it is, its lines, what follows the name of a scheme, and each of them as JSON and addresses write it. */
function spellingsOf(value: string): string[] {
  const whole = value.slice(0, longest).trim();
  const [, credentials = ''] = /^[A-Za-z]+ (\S+)$/.exec(whole) ?? [];
  const parts = [whole, credentials, ...(whole.includes('\n') ? whole.split('\n', mostWanted).map((line) => line.trim()) : [])];
  return parts
    .flatMap(piecesOf)
    .flatMap((part) =>
      /^[\w.-]*$/.test(part) ? [part] : [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part.toWellFormed())],
    )
    .filter((part) => part.length >= shortest && !hidden.includes(part));
}

function piecesOf(text: string): string[] {
  if (text.length <= longestPiece) return [text];
  return Array.from({ length: Math.ceil(text.length / longestPiece) }, (_, at) => text.slice(at * longestPiece, (at + 1) * longestPiece));
}
