import { type FailOptions, fail } from 'toolpact';
import { readBytes } from 'toolpact/internal';
import { type MediaForm, mediaForm } from '../plan/media-form.ts';
import { hideInJson } from './hide-secrets.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';

/** The body of an answer: JSON, a text, bytes, or nothing. */
export type ReadBody =
  | ({ readonly form: 'json' } & ParsedJson)
  | {
      readonly form: 'text';
      readonly text: string;
      /** The parsed text if it is a JSON object or list, with any media type. */
      readonly json: ParsedJson | undefined;
    }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array }
  | { readonly form: 'broken'; readonly text: string }
  | { readonly form: 'none' };

/** Facts about a response before it is read. */
export interface Expected {
  readonly maxBytes: number;
  readonly hide: (text: string) => string;
  /** The media forms that the description promises; empty if it promises none. */
  readonly forms: ReadonlySet<MediaForm>;
  /** Facts to add to the failure if reading fails. */
  readonly facts: FailOptions;
}

/** Reads the body of an answer up to a size, without what must not be shown. */
export async function readBody(response: Response, { maxBytes, hide, forms, facts }: Expected): Promise<ReadBody> {
  const bytes = await readBytes(response.body, maxBytes);
  if (bytes === undefined) throw fail('too_large', `The API's answer is larger than ${maxBytes} bytes.`, facts);
  if (bytes.length === 0) return { form: 'none' };
  const type = response.headers.get('content-type') ?? '';
  const form = type === '' ? 'text' : mediaForm(type);
  const isJson = form === 'json';
  if (isFile(type, form, forms)) {
    const json = isOnly('json', forms) ? readJson(hide(decode(bytes, type)), hide) : undefined;
    return json === undefined ? { form: 'bytes', bytes } : { form: 'json', ...json };
  }
  const text = hide(decode(bytes, type));
  const looksLikeJson = /^\s*[[{]/.test(text);
  const json = isJson || looksLikeJson ? readJson(text, hide) : undefined;
  if (!isJson && !(type === '' && looksLikeJson)) return { form: 'text', text, json };
  return json === undefined ? { form: 'broken', text } : { form: 'json', ...json };
}

/** Where the description promises a file, text and JSON are read as a file. HTML is not: it is usually an error or a login page. */
function isFile(type: string, form: MediaForm, forms: ReadonlySet<MediaForm>): boolean {
  if (form === 'bytes') return true;
  if (!forms.has('bytes') || /html/i.test(type)) return false;
  return type === '' ? isOnly('bytes', forms) : !forms.has(form);
}

function isOnly(form: MediaForm, forms: ReadonlySet<MediaForm>): boolean {
  return forms.size === 1 && forms.has(form);
}

function readJson(text: string, hide: (text: string) => string): ParsedJson | undefined {
  try {
    const { value, rounded } = parseJson(text);
    const shown = (json: unknown): unknown => (text.includes('\\') ? hideInJson(json, hide) : json);
    return { value: shown(value), ...(rounded !== undefined && { rounded: shown(rounded) }) };
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
