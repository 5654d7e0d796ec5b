import { fail } from '../../../../core/outcome/index.ts';
import { hideInJson } from './hide-secrets.ts';

/** What an answer holds: JSON, a text, bytes, or nothing. */
export type ReadBody =
  | { readonly form: 'json'; readonly value: unknown }
  | {
      readonly form: 'text';
      readonly text: string;
      /** What the text says where it is a JSON object or list, under whatever name. */
      readonly json: unknown;
    }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array }
  | { readonly form: 'broken'; readonly text: string }
  | { readonly form: 'none' };

/** Reads the body of an answer up to a size, without what must not be shown. */
export async function readBody(response: Response, maxBytes: number, hide: (text: string) => string): Promise<ReadBody> {
  const bytes = await readBytes(response, maxBytes);
  if (bytes.length === 0) return { form: 'none' };
  const type = response.headers.get('content-type') ?? '';
  const isJson = /[/+]json\b/i.test(type);
  if (!isJson && type !== '' && !/^text\/|[/+]xml\b|yaml|javascript|ndjson|urlencoded|graphql/i.test(type)) return { form: 'bytes', bytes };
  const text = hide(decode(bytes, type));
  const looksLikeJson = /^\s*[[{]/.test(text);
  const value = isJson || looksLikeJson ? parseJson(text, hide) : undefined;
  if (!isJson && !(type === '' && looksLikeJson)) return { form: 'text', text, json: value };
  return value === undefined ? { form: 'broken', text } : { form: 'json', value };
}

function parseJson(text: string, hide: (text: string) => string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.includes('\\') ? hideInJson(value, hide) : value;
  } catch {
    return undefined;
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return new Uint8Array();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw fail('too_large', `The API's answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function decode(bytes: Uint8Array, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
