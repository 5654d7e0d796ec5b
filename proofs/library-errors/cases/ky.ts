import ky, { type Options } from 'ky';
import * as z from 'zod';
import { badCertificate, cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import { abortSoon, brokenJson, hang, hangup, html, refused, reply, reset, stalled, tls, truncated, unknownHost } from '../loopback.ts';
import { secrets, withKey } from '../secrets.ts';

const get = (origin: string, options: Options = {}) =>
  ky.get(withKey(origin), { retry: 0, headers: { authorization: `Bearer ${secrets.apiKey}` }, ...options }).json();

export const kyCases = casesOf('ky', [
  { id: 'a 401', run: async () => get(await reply(401, { error: 'bad credentials' })), expect: { kind: 'unauthenticated', status: 401 } },
  { id: 'a 403', run: async () => get(await reply(403, { error: 'not yours' })), expect: { kind: 'forbidden', status: 403 } },
  { id: 'a 404', run: async () => get(await reply(404, { error: 'no such item' })), expect: { kind: 'not_found', status: 404 } },
  {
    id: 'a 422',
    run: async () => get(await reply(422, { errors: [{ field: 'limit', message: 'must be positive' }] })),
    expect: { kind: 'invalid_input', status: 422 },
  },
  {
    id: 'a 429 with Retry-After',
    run: async () => get(await reply(429, 'slow down', { 'retry-after': '3' })),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 3_000 },
  },
  {
    id: 'a 503 page',
    run: async () => get(await html(503, 'Service Temporarily Unavailable')),
    expect: { kinds: ['upstream', 'not_ready'], status: 503, retryable: true },
  },
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => get(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: 'a hang-up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'a body that is cut off', run: async () => get(await truncated()), expect: cutOff },
  { id: 'headers that never come', run: async () => get(await hang(), { timeout: 120 }), expect: timeout },
  { id: 'a body that stalls', run: async () => get(await stalled(), { timeout: 120 }), expect: timeout },
  { id: "the caller's abort", run: async () => get(await hang(), { signal: abortSoon() }), expect: cancelled },
  { id: 'JSON that stops early', run: async () => get(await brokenJson()), expect: { kinds: ['bad_response', 'invalid_input'] } },
  { id: 'a self-signed certificate', run: async () => get((await tls('self-signed')).origin), expect: badCertificate },
  {
    id: 'an answer of another shape than its schema',
    run: async () => ky.get(await reply(200, { id: 7 }), { retry: 0 }).json(z.object({ id: z.string() })),
    expect: { kind: 'bad_response' },
  },
]);
