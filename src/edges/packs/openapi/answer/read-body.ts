import { readBytes } from '../../../../core/json/index.ts';
import { fail } from '../../../../core/outcome/index.ts';
import { hideInJson } from './hide-secrets.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';

/** What an answer holds: JSON, a text, bytes, or nothing. */
export type ReadBody =
  | ({ readonly form: 'json' } & ParsedJson)
  | {
      readonly form: 'text';
      readonly text: string;
      /** What the text says where it is a JSON object or list, under whatever name. */
      readonly json: ParsedJson | undefined;
    }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array }
  | { readonly form: 'broken'; readonly text: string }
  | { readonly form: 'none' };

/** Reads the body of an answer up to a size, without what must not be shown. */
export async function readBody(response: Response, maxBytes: number, hide: (text: string) => string): Promise<ReadBody> {
  const bytes = await readBytes(response.body, maxBytes);
  if (bytes === undefined) throw fail('too_large', `The API's answer is larger than ${maxBytes} bytes.`);
  if (bytes.length === 0) return { form: 'none' };
  const type = response.headers.get('content-type') ?? '';
  const isJson = /[/+]json\b/i.test(type);
  if (!isJson && type !== '' && !/^text\/|[/+]xml\b|yaml|javascript|ndjson|urlencoded|graphql/i.test(type)) return { form: 'bytes', bytes };
  const text = hide(decode(bytes, type));
  const looksLikeJson = /^\s*[[{]/.test(text);
  const json = isJson || looksLikeJson ? readJson(text, hide) : undefined;
  if (!isJson && !(type === '' && looksLikeJson)) return { form: 'text', text, json };
  return json === undefined ? { form: 'broken', text } : { form: 'json', ...json };
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
