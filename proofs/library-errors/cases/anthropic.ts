import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { cancelled, casesOf, timeout, unreachable } from '../error-case.ts';
import { abortSoon, hang, html, refused, reply, reset, serve } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const client = (origin: string, options: ClientOptions = {}) =>
  new Anthropic({ apiKey: secrets.apiKey, baseURL: origin, maxRetries: 0, defaultQuery: { api_key: secrets.apiKey }, ...options });
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user' as const, content: 'hello' }] };
const ask = (origin: string, options?: ClientOptions, signal?: AbortSignal) =>
  client(origin, options).messages.create(body, { signal: signal ?? null });

const says = async (status: number, type: string, message: string, headers = {}) =>
  ask(await reply(status, { type: 'error', error: { type, message }, request_id: 'req_011C' }, { 'request-id': 'req_011C', ...headers }));

/** Starts an answer and reports an error in the middle of the stream. */
const overloadedStream = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 1 },
    };
    response.write(`event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`);
    response.end(
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
    );
  });

export const anthropicCases = casesOf('@anthropic-ai/sdk', [
  {
    id: 'a rejected key',
    run: () => says(401, 'authentication_error', 'invalid x-api-key'),
    expect: { kind: 'unauthenticated', status: 401 },
  },
  {
    id: 'a key without permission',
    run: () => says(403, 'permission_error', 'Your API key does not have permission to use the specified resource.'),
    expect: { kind: 'forbidden', status: 403 },
  },
  { id: 'an unknown model', run: () => says(404, 'not_found_error', 'model: claude-99'), expect: { kind: 'not_found', status: 404 } },
  {
    id: 'a request over 32 MB',
    run: () => says(413, 'request_too_large', 'Request exceeds the maximum size'),
    expect: { kind: 'too_large', status: 413 },
  },
  {
    id: 'a prompt that is too long',
    run: () => says(400, 'invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
    expect: { kind: 'too_large', status: 400 },
  },
  {
    id: 'a tool call without its result',
    run: () =>
      says(
        400,
        'invalid_request_error',
        'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      ),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'a credit balance that is too low',
    run: () =>
      says(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      ),
    expect: { kind: 'budget_exhausted', status: 400, retryable: false },
  },
  {
    id: 'a rate limit with Retry-After',
    run: () =>
      says(429, 'rate_limit_error', "This request would exceed your organization's rate limit of 40,000 input tokens per minute.", {
        'retry-after': '17',
        'anthropic-ratelimit-input-tokens-remaining': '0',
      }),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 17_000 },
  },
  {
    id: 'an internal error',
    run: () => says(500, 'api_error', 'Internal server error'),
    expect: { kind: 'upstream', status: 500, retryable: true },
  },
  {
    id: 'a request that took too long there',
    run: () => says(504, 'timeout_error', 'Request timed out'),
    expect: { kind: 'timeout', status: 504 },
  },
  {
    id: 'an overloaded service',
    run: () => says(529, 'overloaded_error', 'Overloaded'),
    expect: { kinds: ['upstream', 'rate_limited', 'not_ready'], status: 529, retryable: true },
  },
  {
    id: 'an overload in the middle of a stream',
    run: async () => {
      for await (const event of client(await overloadedStream()).messages.stream(body)) void event;
    },
    expect: { kinds: ['upstream', 'rate_limited', 'not_ready'], retryable: true },
  },
  {
    id: 'a 520 page',
    run: async () => ask(await html(520, 'Web server is returning an unknown error')),
    expect: { kind: 'upstream', status: 520, retryable: true },
  },
  { id: 'a 524 page', run: async () => ask(await html(524, 'A timeout occurred')), expect: { kind: 'timeout', status: 524 } },
  { id: 'a timeout', run: async () => ask(await hang(), { timeout: 120 }), expect: timeout },
  { id: 'a closed port', run: async () => ask(await refused()), expect: unreachable },
  { id: 'a reset', run: async () => ask(await reset()), expect: unreachable },
  { id: "the caller's abort", run: async () => ask(await hang(), {}, abortSoon()), expect: cancelled },
  {
    id: 'no key at all',
    run: async () => new Anthropic({ baseURL: await hang(), maxRetries: 0, timeout: 300 }).messages.create(body),
    expect: { kind: 'not_configured' },
  },
]);
