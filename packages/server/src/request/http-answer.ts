import { isObject } from 'toolpact/internal';
import { securityHeaders } from './security-headers.ts';

/** An answer that every listener can send. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Distinguishes an answer, which refuses a request, from the value of a step that succeeded. */
export function isAnswer(value: unknown): value is HttpAnswer {
  return isObject(value) && 'body' in value && 'headers' in value;
}

/** Returns a response of the fetch API as an answer, with the security headers that it lacks. */
export function fromResponse({ status, headers, body }: Response): HttpAnswer {
  return { status, headers: { ...securityHeaders, ...Object.fromEntries(headers) }, body: body ?? '' };
}

/** Returns an answer as a response of the fetch API. */
export function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers });
}
