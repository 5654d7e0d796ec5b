import { GoogleGenAI, type HttpOptions } from '@google/genai';
import { casesOf, unreachable } from '../error-case.ts';
import { abortSoon, hang, html, refused, reply } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const ask = (baseUrl: string, httpOptions: HttpOptions = {}, abortSignal?: AbortSignal) =>
  new GoogleGenAI({ apiKey: secrets.apiKey, httpOptions: { baseUrl, ...httpOptions } }).models.generateContent({
    model: 'gemini-2.5-flash',
    contents: 'hello',
    ...(abortSignal ? { config: { abortSignal } } : {}),
  });

const says = async (code: number, status: string, message: string, details: unknown[] = []) =>
  ask(await reply(code, { error: { code, message, status, details } }));

const errorInfo = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
});
const quotaFailure = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId, quotaValue: '15' }],
});

export const googleGenaiCases = casesOf('@google/genai', [
  {
    id: 'a key that is not valid',
    run: () => says(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [errorInfo('API_KEY_INVALID')]),
    expect: { kind: 'unauthenticated', status: 400 },
  },
  {
    id: 'an argument that is not valid',
    run: () => says(400, 'INVALID_ARGUMENT', '* GenerateContentRequest.contents: contents is not specified'),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'an input over the token limit',
    run: () => says(400, 'INVALID_ARGUMENT', 'The input token count (1048999) exceeds the maximum number of tokens allowed (1048576).'),
    expect: { kind: 'too_large', status: 400 },
  },
  {
    id: 'a location that is not served',
    run: () => says(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
    expect: { kinds: ['forbidden', 'unsupported', 'invalid_input', 'denied'], status: 400 },
  },
  {
    id: 'a caller without permission',
    run: () => says(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
    expect: { kind: 'forbidden', status: 403 },
  },
  {
    id: 'an API that is not enabled',
    run: () =>
      says(403, 'PERMISSION_DENIED', 'Generative Language API has not been used in project 123 before or it is disabled.', [
        errorInfo('SERVICE_DISABLED'),
      ]),
    expect: { kinds: ['forbidden', 'not_configured'], status: 403 },
  },
  {
    id: 'an unknown model',
    run: () => says(404, 'NOT_FOUND', 'models/gemini-99 is not found for API version v1beta, or is not supported for generateContent.'),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a rate limit with RetryInfo',
    run: () =>
      says(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.',
        [
          quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
        ],
      ),
    expect: { kinds: ['rate_limited'], status: 429, retryable: true, retryAfterMs: 34_000 },
  },
  {
    id: 'a bare rate limit',
    run: () => says(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
    expect: { kinds: ['rate_limited', 'budget_exhausted'], status: 429, retryable: 'either' },
  },
  {
    id: 'an internal error',
    run: () =>
      says(
        500,
        'INTERNAL',
        'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      ),
    expect: { kind: 'upstream', status: 500 },
  },
  {
    id: 'an overloaded model',
    run: () => says(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    expect: { kinds: ['upstream', 'not_ready'], status: 503, retryable: true },
  },
  {
    id: 'a deadline that passed there',
    run: () => says(504, 'DEADLINE_EXCEEDED', 'The request timed out. Please try again.'),
    expect: { kind: 'timeout', status: 504 },
  },
  { id: 'a 502 page', run: async () => ask(await html(502, 'Bad Gateway')), expect: { kind: 'upstream', status: 502, retryable: true } },
  {
    id: 'a timeout',
    run: async () => ask(await hang(), { timeout: 120 }),
    expect: { kinds: ['timeout', 'cancelled'], retryable: 'either' },
  },
  { id: "the caller's abort", run: async () => ask(await hang(), {}, abortSoon()), expect: { kind: 'cancelled' } },
  { id: 'a closed port', run: async () => ask(await refused()), expect: unreachable },
  {
    id: 'no key at all',
    run: () => new GoogleGenAI({}).models.generateContent({ model: 'gemini-2.5-flash', contents: 'hello' }),
    expect: { kind: 'not_configured' },
  },
]);
