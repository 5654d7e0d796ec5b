import Stripe from 'stripe';
import { casesOf, timeout, unreachable } from '../error-case.ts';
import { hang, html, refused, reply, reset } from '../loopback.ts';
import { secrets } from '../secrets.ts';

function pay(origin: string, config: Stripe.StripeConfig = {}) {
  const { hostname, port } = new URL(origin);
  const client = new Stripe(secrets.stripeKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  });
  return client.paymentIntents.create({ amount: 900, currency: 'eur' });
}

const says = async (status: number, error: object, headers = {}) =>
  pay(await reply(status, { error }, { 'request-id': 'req_Zx81', ...headers }));

const declined = { kinds: ['denied', 'budget_exhausted', 'invalid_input', 'forbidden'], status: 402, retryable: false } as const;

export const stripeCases = casesOf('stripe', [
  {
    id: 'a declined card',
    run: () =>
      says(402, {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
        charge: 'ch_1',
      }),
    expect: declined,
  },
  {
    id: 'a card without funds',
    run: () =>
      says(402, {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      }),
    expect: declined,
  },
  {
    id: 'a missing parameter',
    run: () =>
      says(400, { type: 'invalid_request_error', code: 'parameter_missing', param: 'amount', message: 'Missing required param: amount.' }),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'a missing customer',
    run: () =>
      says(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer', message: "No such customer: 'cus_x'" }),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a rejected key',
    run: () => says(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${secrets.stripeKey}` }),
    expect: { kind: 'unauthenticated', status: 401 },
  },
  {
    id: 'a key without permission',
    run: () =>
      says(403, { type: 'invalid_request_error', message: 'The provided key does not have the required permissions for this endpoint.' }),
    expect: { kind: 'forbidden', status: 403 },
  },
  {
    id: 'a rate limit',
    run: () =>
      says(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' }, { 'retry-after': '2' }),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 2_000 },
  },
  {
    id: 'a lock on the object',
    run: () =>
      says(429, {
        type: 'invalid_request_error',
        code: 'lock_timeout',
        message: 'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
      }),
    expect: { kinds: ['rate_limited', 'conflict'], status: 429, retryable: true },
  },
  {
    id: 'an idempotency key with other parameters',
    run: () =>
      says(400, {
        type: 'idempotency_error',
        message:
          "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'k1' if you meant to execute a different request.",
      }),
    expect: { kinds: ['conflict', 'invalid_input'], status: 400, retryable: false },
  },
  {
    id: 'an idempotency key that is in use',
    run: () =>
      says(409, {
        type: 'invalid_request_error',
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this Idempotent Key.',
      }),
    expect: { kind: 'conflict', status: 409, retryable: 'either' },
  },
  {
    id: 'an API error',
    run: () => says(500, { type: 'api_error', message: 'An unknown error occurred' }),
    expect: { kind: 'upstream', status: 500, retryable: true },
  },
  {
    id: 'a 502 page',
    run: async () => pay(await html(502, 'Bad Gateway')),
    expect: { kinds: ['upstream', 'bad_response'], retryable: 'either' },
  },
  { id: 'a closed port', run: async () => pay(await refused()), expect: unreachable },
  { id: 'a reset', run: async () => pay(await reset()), expect: unreachable },
  { id: 'a timeout', run: async () => pay(await hang(), { timeout: 120 }), expect: timeout },
  { id: 'no key at all', run: () => new Stripe(''), expect: { kind: 'not_configured' } },
  {
    id: 'a webhook with a wrong signature',
    run: () => new Stripe(secrets.stripeKey).webhooks.constructEvent('{}', 't=1,v1=abc', 'whsec_test'),
    expect: { kinds: ['unauthenticated', 'forbidden', 'invalid_input'] },
  },
]);
