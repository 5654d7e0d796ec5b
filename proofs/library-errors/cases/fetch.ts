import { badCertificate, cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import {
  abortSoon,
  brokenJson,
  garbage,
  hang,
  hangup,
  html,
  plainHttpPort,
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

const headers = { authorization: `Bearer ${secrets.apiKey}` };
const get = (origin: string, init: RequestInit = {}) => fetch(withKey(origin), { headers, ...init });
const read = async (origin: string, init?: RequestInit) => (await get(origin, init)).json();

/** Fetches as most hand-written tools do, and throws for an answer that is not ok. */
async function getOrThrow(origin: string) {
  const response = await get(origin);
  if (!response.ok) throw new Error(`GET ${response.url} failed: ${response.status} ${response.statusText}`, { cause: response });
  return response;
}

export const fetchCases = casesOf('fetch', [
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => get(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: 'a hang-up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'an answer that is not HTTP', run: async () => get(await garbage()), expect: { kind: 'bad_response' } },
  { id: 'a body that is cut off', run: async () => read(await truncated()), expect: cutOff },
  { id: 'headers that never come', run: async () => get(await hang(), { signal: AbortSignal.timeout(120) }), expect: timeout },
  { id: 'a body that stalls', run: async () => read(await stalled(), { signal: AbortSignal.timeout(120) }), expect: timeout },
  { id: "the caller's abort", run: async () => get(await hang(), { signal: abortSoon() }), expect: cancelled },
  {
    id: 'an abort whose reason is an AbortError',
    run: async () => get(await hang(), { signal: abortSoon(new DOMException('Stopped by the user', 'AbortError')) }),
    expect: cancelled,
  },
  { id: 'a self-signed certificate', run: async () => get((await tls('self-signed')).origin), expect: badCertificate },
  {
    id: 'a port that speaks plain HTTP',
    run: async () => get(await plainHttpPort()),
    expect: { kind: 'unreachable', retryable: 'either' },
  },
  {
    id: 'a page where JSON was expected',
    run: async () => read(await html(200, 'Welcome')),
    expect: { kinds: ['bad_response', 'invalid_input'] },
  },
  { id: 'JSON that stops early', run: async () => read(await brokenJson()), expect: { kinds: ['bad_response', 'invalid_input'] } },
  {
    id: 'redirects without end',
    run: async () => get(await redirectLoop()),
    expect: { kinds: ['bad_response', 'upstream', 'unreachable'], retryable: 'either' },
  },
  { id: 'an address that is none', run: () => get('not a url'), expect: { kind: 'invalid_input' } },
  { id: 'a scheme nobody speaks', run: () => get('gopher://127.0.0.1'), expect: { kinds: ['invalid_input', 'unsupported'] } },
  {
    id: 'a port that fetch refuses',
    run: () => get('http://127.0.0.1:22'),
    expect: { kinds: ['invalid_input', 'forbidden', 'denied', 'unsupported', 'unreachable'], retryable: 'either' },
  },
  {
    id: 'a thrown Error that carries a 404 Response',
    run: async () => getOrThrow(await reply(404, { message: 'no such item' })),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a thrown 429 Response',
    run: async () => {
      throw await get(await reply(429, 'slow down', { 'retry-after': '7' }));
    },
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 7_000 },
  },
  {
    id: 'a thrown 502 page',
    run: async () => {
      throw await get(await html(502, 'Bad Gateway'));
    },
    expect: { kind: 'upstream', status: 502, retryable: true },
  },
]);
