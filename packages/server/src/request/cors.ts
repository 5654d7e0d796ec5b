import type { HttpAnswer } from './http-answer.ts';
import type { RequestHead } from './request-head.ts';

/** Checks whether a browser asks if a page may send a request. */
export function isPreflight({ method, header }: RequestHead): boolean {
  return method === 'OPTIONS' && header('origin') !== undefined && header('access-control-request-method') !== undefined;
}

/** The answer to a preflight. Requests of other origins were refused before. */
export const preflight: HttpAnswer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '600',
  },
  body: '',
};

/** Lets pages of the origins that the server names read an answer. */
export function allowOrigin({ header }: RequestHead, answer: HttpAnswer, origins: readonly string[]): HttpAnswer {
  const origin = header('origin');
  if (origin === undefined || !origins.includes(origin)) return answer;
  const { vary } = answer.headers;
  const headers = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    'cross-origin-resource-policy': 'cross-origin',
    vary: vary === undefined ? 'origin' : `${vary}, origin`,
  };
  return { ...answer, headers };
}
