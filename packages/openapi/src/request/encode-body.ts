import { fail } from 'toolpact';
import { isObject } from 'toolpact/internal';
import { asMap, asText, isMap } from '../document/document-problem.ts';
import type { Body } from '../plan/plan-body.ts';
import { serializeQuery } from './serialize-parameter.ts';

/** A body ready to be sent; a multipart form brings its own content type. */
export interface EncodedBody {
  readonly content: string | Uint8Array<ArrayBuffer> | FormData;
  readonly contentType: string | undefined;
}

/** Writes the body of a request in the form that its description names. */
export function encodeBody(body: Body, value: unknown): EncodedBody {
  const { contentType } = body;
  switch (body.form) {
    case 'json':
      return { content: JSON.stringify(value), contentType };
    case 'form':
      return { content: encodeForm(body, value), contentType };
    case 'multipart':
      return { content: encodeMultipart(body, value), contentType: undefined };
    case 'text':
      return { content: String(value), contentType };
    case 'binary': {
      const file = asMap(value);
      // A media type with a wildcard is no type of its own; the caller knows better.
      return {
        content: bytesOf(file),
        contentType: asText(file.contentType) ?? (contentType.includes('*') ? 'application/octet-stream' : contentType),
      };
    }
  }
}

/** Form fields are written as query parameters are; nested ones as `a[b]`, which is what servers that take them expect. */
function encodeForm({ encoding }: Body, value: unknown): string {
  return Object.entries(asMap(value))
    .flatMap(([name, field]) => {
      const stated = asMap(encoding[name]);
      const nested = isObject(field) && (!Array.isArray(field) || field.some((item) => typeof item === 'object'));
      const style = asText(stated.style) ?? (nested ? 'deepObject' : 'form');
      const explode = typeof stated.explode === 'boolean' ? stated.explode : style === 'form' || style === 'deepObject';
      const asJson = /json/i.test(asText(stated.contentType) ?? '');
      return field === undefined ? [] : serializeQuery({ name, style, explode, allowReserved: false, asJson }, field);
    })
    .join('&')
    .replaceAll('%20', '+');
}

/** The separator between the values of a list in one part, by its style. */
const separators: ReadonlyMap<unknown, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
  ['tabDelimited', '\t'],
]);

function encodeMultipart({ encoding, parts }: Body, value: unknown): FormData {
  const form = new FormData();
  for (const [name, field] of Object.entries(asMap(value))) {
    const stated = asMap(encoding[name]);
    const type = asText(stated.contentType);
    const kind = parts.get(name);
    const isJoined = Array.isArray(field) && field.length > 0 && stated.explode === false && field.every((item) => !isObject(item));
    for (const item of isJoined ? [field.join(separators.get(stated.style) ?? ',')] : [field].flat()) {
      if (item === undefined || item === null) continue;
      if (isMap(item) && (kind === 'file' || (kind === undefined && looksLikeFile(item)))) {
        const contentType = asText(item.contentType) ?? (type?.includes(',') || type?.includes('*') ? undefined : type);
        form.append(name, new Blob([bytesOf(item)], { type: contentType ?? 'application/octet-stream' }), asText(item.filename) ?? name);
      } else if (typeof item === 'object') {
        form.append(name, new Blob([JSON.stringify(item)], { type: type ?? 'application/json' }));
      } else form.append(name, String(item));
    }
  }
  return form;
}

function looksLikeFile({ text, base64 }: Readonly<Record<string, unknown>>): boolean {
  return typeof text === 'string' || typeof base64 === 'string';
}

function bytesOf(file: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  if (typeof file.text === 'string') return new TextEncoder().encode(file.text);
  try {
    return Uint8Array.from(atob(String(file.base64)), (character) => character.charCodeAt(0));
  } catch {
    throw fail('invalid_input', 'A file needs its content as `text`, or as valid `base64`.', { effect: 'none' });
  }
}
