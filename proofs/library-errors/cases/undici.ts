import { Agent, Client, interceptors, RetryAgent, request } from 'undici';
import { badCertificate, cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import {
  abortSoon,
  afterwards,
  garbage,
  hang,
  hangup,
  html,
  mute,
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

function agent(options: Agent.Options = {}): Agent {
  const made = new Agent(options);
  afterwards(() => made.destroy());
  return made;
}

const headers = { authorization: `Bearer ${secrets.apiKey}` };
const get = (origin: string, dispatcher = agent() as unknown, signal?: AbortSignal) =>
  request(withKey(origin), { dispatcher: dispatcher as Agent, headers, ...(signal ? { signal } : {}) });
const read = async (...args: Parameters<typeof get>) => (await get(...args)).body.json();

/** Throws a ResponseError for 4xx and 5xx. */
const strict = () => agent().compose(interceptors.responseError());

export const undiciCases = casesOf('undici', [
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => get(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: 'a hang-up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'an answer that is not HTTP', run: async () => get(await garbage()), expect: { kind: 'bad_response' } },
  { id: 'a body that is cut off', run: async () => read(await truncated()), expect: cutOff },
  { id: 'headers that never come', run: async () => get(await hang(), agent({ headersTimeout: 120 })), expect: timeout },
  { id: 'a body that stalls', run: async () => read(await stalled(), agent({ bodyTimeout: 120 })), expect: timeout },
  {
    id: 'a handshake that never ends',
    run: async () => get(`https://127.0.0.1:${(await mute()).port}`, agent({ connect: { timeout: 120 } })),
    expect: timeout,
  },
  { id: "the caller's abort", run: async () => get(await hang(), agent(), abortSoon()), expect: cancelled },
  {
    id: 'an expired certificate',
    run: async () => {
      const { origin, ca } = await tls('expired');
      return get(origin, agent({ connect: { ca } }));
    },
    expect: badCertificate,
  },
  {
    id: "another host's certificate",
    run: async () => {
      const { origin, ca } = await tls('other-host');
      return get(origin, agent({ connect: { ca } }));
    },
    expect: badCertificate,
  },
  {
    id: 'a body beyond maxResponseSize',
    run: async () => read(await reply(200, { items: 'x'.repeat(500) }), agent({ maxResponseSize: 100 })),
    expect: { kind: 'too_large' },
  },
  { id: 'a 404', run: async () => get(await reply(404, { error: 'no such item' }), strict()), expect: { kind: 'not_found', status: 404 } },
  {
    id: 'a 429 with Retry-After',
    run: async () => get(await reply(429, { error: 'slow down' }, { 'retry-after': '4' }), strict()),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 4_000 },
  },
  { id: 'a 502 page', run: async () => get(await html(502, 'Bad Gateway'), strict()), expect: { kind: 'upstream', status: 502 } },
  {
    id: 'retries that are used up',
    run: async () => get(await reply(503, 'busy'), new RetryAgent(agent(), { maxRetries: 1, minTimeout: 10, maxTimeout: 20 })),
    expect: { kind: 'upstream', status: 503, retryable: true },
  },
  {
    id: 'redirects without end',
    run: async () => get(await redirectLoop(), agent().compose(interceptors.redirect({ maxRedirections: 2, throwOnMaxRedirect: true }))),
    expect: { kinds: ['bad_response', 'upstream'], retryable: 'either' },
  },
  {
    id: 'a client that was destroyed',
    run: async () => {
      const client = new Client(await hang());
      await client.destroy();
      return client.request({ path: '/', method: 'GET' });
    },
    expect: { kinds: ['not_ready', 'internal', 'cancelled'], retryable: 'either' },
  },
  { id: 'an address that is none', run: () => request('nonsense'), expect: { kind: 'invalid_input' } },
]);
