import { Buffer, isUtf8 } from 'node:buffer';
import type { FailureKind } from 'toolpact';
import { endOfText, isObject, parseExactly } from 'toolpact/internal';
import type { RefuseOptions } from './refusal.ts';
import type { RequestBody } from './request-head.ts';

/** The value of a JSON body, or why the body is refused. */
export type ReadJson = { readonly value: unknown } | BodyRefused;

/** Why a body is refused. */
export interface BodyRefused {
  readonly kind: FailureKind;
  readonly message: string;
  readonly options?: RefuseOptions;
}

/** How large and how deep a body may be. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
}

type HeaderReader = (name: string) => string | undefined;

const jsonType = /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i;
const utf8 = /charset\s*=\s*"?(?!utf-?8"?\s*(?:;|$))/i;

/** Refuses a body by what its headers say, before any of it is read. */
export function checkBodyHead(header: HeaderReader, { maxBodyBytes }: BodyLimits): BodyRefused | undefined {
  const encoding = header('content-encoding');
  if (encoding !== undefined && !/^identity$/i.test(encoding.trim())) {
    const advice = 'Send the body without compression.';
    return { kind: 'unsupported', message: 'Compressed bodies are not taken.', options: { status: 415, advice } };
  }
  const length = header('content-length');
  if (length !== undefined && Number(length) > maxBodyBytes) return tooLarge(maxBodyBytes);
  const type = header('content-type');
  if (type === undefined ? length !== '0' && (length !== undefined || header('transfer-encoding') !== undefined) : !isJsonType(type)) {
    const message = 'The body must be JSON, with content-type application/json.';
    return { kind: 'unsupported', message, options: { status: 415, advice: 'Add the header content-type: application/json.' } };
  }
  return undefined;
}

/** Reads a JSON body that came within the limit of size, or says why it did not. */
export function readJson(body: RequestBody, limits: BodyLimits): ReadJson {
  if (body === 'too_large') return tooLarge(limits.maxBodyBytes);
  return body === 'broken_off'
    ? { kind: 'cancelled', message: 'The connection broke before the whole body came.' }
    : parseJson(body, limits);
}

/** Reads bytes as JSON; an empty body has no value. Refuses what is no UTF-8, no JSON, nested too deeply, or a number that is too large. */
export function parseJson(bytes: Uint8Array, { maxDepth }: BodyLimits): ReadJson {
  if (bytes.byteLength === 0) return { value: undefined };
  const text = toText(bytes);
  if (text === undefined) return wrong('The body is not valid UTF-8.');
  // A body shorter than this cannot be nested so deeply.
  const unfit = text.length > maxDepth ? findUnfit(text, maxDepth) : undefined;
  if (unfit !== undefined) return wrong(unfit);
  try {
    const isLong = longNumber.test(text);
    const value: unknown = isLong ? parseExactly(text) : JSON.parse(text);
    if (isLong && hasInfinity(value)) return wrong('The body holds a number that is too large.');
    return { value };
  } catch (error) {
    return wrong(`The body is not valid JSON${placeOf(error)}.`);
  }
}

/** Names the place of a mistake, where the parser does. The rest of its message may repeat parts of the body. */
function placeOf(error: unknown): string {
  const [place] = / at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error)) ?? [''];
  return place;
}

/** Returns bytes as text without a byte order mark; undefined where they are no UTF-8. Only text that holds the replacement character can come from such. */
function toText(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(buffer)) return undefined;
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Refuses a body for its size. */
function tooLarge(maxBodyBytes: number): BodyRefused {
  const advice = 'Send less, or raise `maxBodyBytes` of the server.';
  return {
    kind: 'too_large',
    message: `The body is larger than ${maxBodyBytes} bytes.`,
    options: { headers: { connection: 'close' }, advice },
  };
}

function wrong(message: string): BodyRefused {
  return { kind: 'invalid_input', message };
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || (jsonType.test(type) && !utf8.test(type));
}

/** Only such digits can make a number infinite, or lose the last of them. They are counted from their first on, so that no digit is looked at twice. */
const longNumber = /(?<!\d)\d{16}|\d[eE]\+?\d{3}/;

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return isObject(value) && Object.values(value).some(hasInfinity);
}

/** Objects of more keys are refused by every tool, and the engine needs long to build and list them. */
const maxKeys = 50_000;

/** Says what makes a body unfit, before anything is built from it: brackets outside of texts nested too deeply, or an object of very many keys. */
function findUnfit(text: string, maxDepth: number): string | undefined {
  const keys = [0];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfText(text, at);
      if (at < 0) return undefined;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
      keys[depth] = 0;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x3a) {
      const count = (keys[depth] ?? 0) + 1;
      if (count > maxKeys) return `An object in the body has more than ${maxKeys} keys.`;
      keys[depth] = count;
    }
  }
  return undefined;
}
