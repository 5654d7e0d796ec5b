import { classify } from 'toolpact';
import type { Contestant } from './contestant.ts';

// Every classification gets another error of a pool, so that nothing is won by having seen the same one before.
const poolSize = 1024;

function poolOf(make: (index: number) => unknown): () => unknown {
  const pool = Array.from({ length: poolSize }, (_, index) => make(index));
  let next = 0;
  return () => {
    next = (next + 1) % poolSize;
    return pool[next];
  };
}

const sameError = new Error('The index of region kansai has no entries');
const plainError = poolOf((index) => new Error(`The index of region ${index} has no entries`));
const placedError = () => new Error(`The value ${Math.random()} must not be empty`);
const providerError = poolOf(makeProviderError);
const hostileError = makeHostileError();

const readings: readonly Contestant[] = [
  {
    name: 'classify, plain Error, words seen before',
    call: () => classify(sameError),
    isRight: (value) => (value as { kind: string }).kind === 'internal',
    atMost: { us: 1.5 },
  },
  {
    name: 'classify, plain Error, words never seen',
    call: () => classify(plainError()),
    isRight: (value) => (value as { kind: string }).kind === 'internal',
    atMost: { us: 6 },
  },
  {
    // Its words would blame the arguments, so the place where it was made is read; the engine writes the stack only then.
    name: 'classify, plain Error made here, its stack read',
    call: () => classify(placedError()),
    isRight: (value) => (value as { kind: string }).kind === 'internal',
    atMost: { us: 20 },
  },
  {
    name: 'classify, deep provider error',
    call: () => classify(providerError()),
    isRight: (value) => (value as { kind: string; retryAfterMs?: number }).kind === 'rate_limited',
    atMost: { us: 24 },
  },
  {
    name: 'classify, hostile: a wide and deep error of 1 MB',
    call: () => classify(hostileError),
    isRight: (value) => typeof (value as { kind: string }).kind === 'string',
    atMost: { us: 20_000 },
  },
];

/** All of them compute and never wait. */
export const classifications: readonly Contestant[] = readings.map((reading) => ({ ...reading, alone: true }));

/** A text of 1 MB that fits many rules, and 100,000 names, headers and causes. */
function makeHostileError(): Error {
  const text = 'password=token: Authorization: Basic https://a:b@c/d?e=f {"code":"E_RATE not found '.repeat(12_000);
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x-rate-limit-${index}`, text.slice(0, 100)]));
  let error = Object.assign(new Error(text), { headers: wide, status: 429, body: wide, errors: Array.from({ length: 1_000 }, () => wide) });
  for (let depth = 0; depth < 1_000; depth += 1) error = Object.assign(new Error(text, { cause: error }), { ...error });
  return error;
}

/** An error of a provider's client that wraps an HTTP library's: request, response, headers, a nested body, and five causes below. */
function makeProviderError(index: number): Error {
  const chain = ['TLSSocket', 'ClientRequest', 'AxiosError', 'TransportError', 'RetryError'].reduce<Error | undefined>((cause, name) => {
    const error = new Error(`${name} failed on attempt ${index}`, cause && { cause });
    return Object.assign(error, { name, attempt: index });
  }, undefined);
  const headers = {
    'content-type': 'application/json',
    date: 'Tue, 03 Mar 2026 10:00:00 GMT',
    'openai-processing-ms': '12',
    'retry-after': '7',
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '7s',
    'x-request-id': `req_${index}`,
  };
  const body = {
    error: {
      message: `Rate limit reached for model-x in organization org-${index} on requests per min: limit 500, used 500.`,
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    },
  };
  const config = {
    url: '/v1/chat/completions',
    baseURL: 'https://api.example.com',
    method: 'post',
    timeout: 60_000,
    headers: { 'content-type': 'application/json', authorization: 'Bearer placeholder' },
    data: JSON.stringify({ model: 'model-x', messages: [{ role: 'user', content: 'Where is Uji?' }] }),
  };
  const request = { method: 'POST', path: '/v1/chat/completions', host: 'api.example.com', protocol: 'https:' };
  return Object.assign(new Error('Request failed with status code 429', { cause: chain }), {
    name: 'RateLimitError',
    code: 'ERR_BAD_REQUEST',
    status: 429,
    requestID: `req_${index}`,
    headers,
    config,
    request,
    response: { status: 429, statusText: 'Too Many Requests', headers, config, request, data: body },
    error: body.error,
  });
}
