import got, { type OptionsInit } from 'got';
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

const get = (origin: string, options: OptionsInit = {}) =>
  got(withKey(origin), { retry: { limit: 0 }, headers: { authorization: `Bearer ${secrets.apiKey}` }, ...options }) as Promise<unknown>;

export const gotCases = casesOf('got', [
  {
    id: 'a 400',
    run: async () => get(await reply(400, { error: 'limit must be a number' })),
    expect: { kind: 'invalid_input', status: 400 },
  },
  { id: 'a 401', run: async () => get(await reply(401, { error: 'bad credentials' })), expect: { kind: 'unauthenticated', status: 401 } },
  { id: 'a 404', run: async () => get(await reply(404, { error: 'no such item' })), expect: { kind: 'not_found', status: 404 } },
  {
    id: 'a 400 that means it already exists',
    run: async () => get(await reply(400, { code: 'already_exists', message: 'Item already exists' })),
    expect: { kind: 'conflict', status: 400, retryable: false },
  },
  {
    id: 'a 429 with Retry-After as a date',
    run: async () => get(await reply(429, 'slow down', { 'retry-after': new Date(Date.now() + 45_000).toUTCString() })),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 45_000 },
  },
  {
    id: 'a 429 with a ratelimit-reset header',
    run: async () => get(await reply(429, 'slow down', { 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '20' })),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 20_000 },
  },
  { id: 'a 500', run: async () => get(await reply(500, { error: 'boom' })), expect: { kind: 'upstream', status: 500, retryable: true } },
  { id: 'a 502 page', run: async () => get(await html(502, 'Bad Gateway')), expect: { kind: 'upstream', status: 502, retryable: true } },
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => get(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: 'a hang-up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'an answer that is not HTTP', run: async () => get(await garbage()), expect: { kind: 'bad_response' } },
  { id: 'a body that is cut off', run: async () => get(await truncated()), expect: cutOff },
  { id: 'headers that never come', run: async () => get(await hang(), { timeout: { response: 120 } }), expect: timeout },
  { id: 'a body that stalls', run: async () => get(await stalled(), { timeout: { request: 120 } }), expect: timeout },
  { id: "the caller's abort", run: async () => get(await hang(), { signal: abortSoon() }), expect: cancelled },
  { id: 'JSON that stops early', run: async () => get(await brokenJson(), { responseType: 'json' }), expect: { kind: 'bad_response' } },
  {
    id: 'a page where JSON was expected',
    run: async () => get(await html(200, 'Sign in'), { responseType: 'json' }),
    expect: { kind: 'bad_response' },
  },
  {
    id: 'redirects without end',
    run: async () => get(await redirectLoop(), { maxRedirects: 2 }),
    expect: { kinds: ['bad_response', 'upstream'], retryable: 'either' },
  },
  {
    id: "another host's certificate",
    run: async () => {
      const { origin, ca } = await tls('other-host');
      return get(origin, { https: { certificateAuthority: ca } });
    },
    expect: badCertificate,
  },
  { id: 'a scheme nobody speaks', run: () => got('ftp://127.0.0.1/file'), expect: { kinds: ['unsupported', 'invalid_input'] } },
  { id: 'an address that is none', run: () => got('nonsense'), expect: { kind: 'invalid_input' } },
]);
