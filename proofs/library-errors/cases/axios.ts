import https from 'node:https';
import axios, { type AxiosRequestConfig } from 'axios';
import { badCertificate, cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import {
  abortSoon,
  brokenJson,
  garbage,
  hang,
  hangup,
  html,
  redirectLoop,
  refused,
  reply,
  reset,
  stalled,
  tls,
  truncated,
  unknownHost,
} from '../loopback.ts';
import { secrets, withKey } from '../secrets.ts';

const get = (origin: string, config: AxiosRequestConfig = {}) =>
  axios.get(withKey(origin), {
    headers: { Authorization: `Bearer ${secrets.apiKey}` },
    auth: { username: 'u', password: secrets.password },
    ...config,
  });

const problem = (status: number, title: string, detail: string) =>
  reply(status, { type: 'https://example.net/problems/generic', title, status, detail }, { 'content-type': 'application/problem+json' });

export const axiosCases = casesOf('axios', [
  {
    id: 'a 400 problem document',
    run: async () => get(await problem(400, 'Bad Request', 'limit must be at most 100')),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'a 401',
    run: async () => get(await reply(401, { error: 'invalid_token', error_description: 'The access token expired' })),
    expect: { kind: 'unauthenticated', status: 401 },
  },
  {
    id: 'a 402',
    run: async () => get(await problem(402, 'Payment Required', 'The plan has no credits left')),
    expect: { kind: 'budget_exhausted', status: 402 },
  },
  {
    id: 'a 403',
    run: async () => get(await problem(403, 'Forbidden', 'Missing scope items:read')),
    expect: { kind: 'forbidden', status: 403 },
  },
  {
    id: 'a 403 that means a rate limit',
    run: async () =>
      get(
        await reply(403, {
          error: { code: 403, message: 'Rate Limit Exceeded', errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }] },
        }),
      ),
    expect: { kind: 'rate_limited', status: 403 },
  },
  {
    id: 'a 404',
    run: async () => get(await problem(404, 'Not Found', 'No item with this id')),
    expect: { kind: 'not_found', status: 404 },
  },
  { id: 'a 405', run: async () => get(await reply(405, '', { allow: 'POST' })), expect: { kind: 'unsupported', status: 405 } },
  { id: 'a 408', run: async () => get(await reply(408, '')), expect: { kind: 'timeout', status: 408 } },
  {
    id: 'a 409',
    run: async () => get(await problem(409, 'Conflict', 'An item with this name already exists')),
    expect: { kind: 'conflict', status: 409, retryable: false },
  },
  { id: 'a 410', run: async () => get(await problem(410, 'Gone', 'The item was deleted')), expect: { kind: 'not_found', status: 410 } },
  {
    id: 'a 412',
    run: async () => get(await problem(412, 'Precondition Failed', 'The ETag does not match')),
    expect: { kind: 'conflict', status: 412, retryable: 'either' },
  },
  { id: 'a 413', run: async () => get(await html(413, 'Request Entity Too Large')), expect: { kind: 'too_large', status: 413 } },
  {
    id: 'a 415',
    run: async () => get(await problem(415, 'Unsupported Media Type', 'Send application/json')),
    expect: { kind: 'unsupported', status: 415 },
  },
  {
    id: 'a 422',
    run: async () =>
      get(await reply(422, { detail: [{ loc: ['body', 'limit'], msg: 'Input should be less than 100', type: 'less_than' }] })),
    expect: { kind: 'invalid_input', status: 422 },
  },
  {
    id: 'a 429 with Retry-After in seconds',
    run: async () => get(await reply(429, { message: 'Slow down' }, { 'retry-after': '12' })),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 12_000 },
  },
  {
    id: 'a 429 with Retry-After as a date',
    run: async () => get(await reply(429, 'slow down', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() })),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 30_000 },
  },
  {
    id: 'a 500 whose text is a TypeError',
    run: async () =>
      get(await reply(500, "TypeError: Cannot read properties of undefined (reading 'id')\n    at handler (/srv/app/routes.js:10:7)")),
    expect: { kind: 'upstream', status: 500, retryable: true },
  },
  { id: 'a 501', run: async () => get(await reply(501, '')), expect: { kind: 'unsupported', status: 501 } },
  { id: 'a 502 page', run: async () => get(await html(502, 'Bad Gateway')), expect: { kind: 'upstream', status: 502, retryable: true } },
  {
    id: 'a 503 with Retry-After',
    run: async () => get(await reply(503, 'maintenance', { 'retry-after': '120' })),
    expect: { kinds: ['upstream', 'not_ready'], status: 503, retryable: true, retryAfterMs: 120_000 },
  },
  { id: 'a 504 page', run: async () => get(await html(504, 'Gateway Time-out')), expect: { kind: 'timeout', status: 504 } },
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => get(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: 'a hang-up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'an answer that is not HTTP', run: async () => get(await garbage()), expect: { kind: 'bad_response' } },
  { id: 'a body that is cut off', run: async () => get(await truncated()), expect: cutOff },
  { id: 'headers that never come', run: async () => get(await hang(), { timeout: 120 }), expect: timeout },
  {
    // All that axios says of it is that the stream was aborted.
    id: 'a body that stalls',
    run: async () => get(await stalled(), { timeout: 120 }),
    expect: { kinds: ['timeout', 'unreachable', 'bad_response'], retryable: 'either' },
  },
  {
    id: 'a signal with a deadline',
    run: async () => get(await hang(), { signal: AbortSignal.timeout(100) }),
    expect: { kinds: ['timeout', 'cancelled'], retryable: 'either' },
  },
  { id: "the caller's abort", run: async () => get(await hang(), { signal: abortSoon() }), expect: cancelled },
  { id: 'a self-signed certificate', run: async () => get((await tls('self-signed')).origin), expect: badCertificate },
  {
    id: 'an expired certificate',
    run: async () => {
      const { origin, ca } = await tls('expired');
      return get(origin, { httpsAgent: new https.Agent({ ca }) });
    },
    expect: badCertificate,
  },
  {
    id: 'a body beyond maxContentLength',
    run: async () => get(await reply(200, 'x'.repeat(500)), { maxContentLength: 100 }),
    expect: { kind: 'too_large' },
  },
  {
    id: 'redirects without end',
    run: async () => get(await redirectLoop(), { maxRedirects: 2 }),
    expect: { kinds: ['bad_response', 'upstream'], retryable: 'either' },
  },
  {
    id: 'JSON that stops early',
    run: async () => get(await brokenJson(), { responseType: 'json', transitional: { silentJSONParsing: false } }),
    expect: { kind: 'bad_response' },
  },
  { id: 'an address that is none', run: () => axios.get('http://[oops'), expect: { kind: 'invalid_input' } },
]);
