import OpenAI, { type ClientOptions } from 'openai';
import { cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import { abortSoon, brokenJson, hang, html, refused, reply, reset, serve, truncated, unknownHost } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const client = (origin: string, options: ClientOptions = {}) =>
  new OpenAI({ apiKey: secrets.apiKey, baseURL: `${origin}/v1`, maxRetries: 0, defaultQuery: { api_key: secrets.apiKey }, ...options });
const ask = (origin: string, options?: ClientOptions, signal?: AbortSignal) =>
  client(origin, options).chat.completions.create(
    { model: 'gpt-5', messages: [{ role: 'user', content: 'hello' }] },
    { signal: signal ?? null },
  );

const says = async (status: number, message: string, type: string, code: string | null, headers = {}) =>
  ask(await reply(status, { error: { message, type, param: null, code } }, { 'x-request-id': 'req_4f1c', ...headers }));

const completion = (finishReason: string, content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt-5',
  choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content, refusal: null } }],
});
const parse = async (finishReason: string) =>
  client(await reply(200, completion(finishReason, '{"city":"Ky'))).chat.completions.parse({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'where?' }],
    response_format: { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' } } },
  });

/** Starts an answer and reports an error in the middle of the stream. */
const failingStream = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n');
    response.end(
      'data: {"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}\n\n',
    );
  });

export const openaiCases = casesOf('openai', [
  {
    id: 'a rejected key',
    run: () =>
      says(
        401,
        `Incorrect API key provided: ${secrets.apiKey}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        'invalid_request_error',
        'invalid_api_key',
      ),
    expect: { kind: 'unauthenticated', status: 401 },
  },
  {
    id: 'an unsupported country',
    run: () => says(403, 'Country, region, or territory not supported', 'request_forbidden', 'unsupported_country_region_territory'),
    expect: { kinds: ['forbidden', 'denied', 'unsupported'], status: 403 },
  },
  {
    id: 'an unknown model',
    run: () => says(404, 'The model `gpt-99` does not exist or you do not have access to it.', 'invalid_request_error', 'model_not_found'),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a context that is too long',
    run: () =>
      says(
        400,
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130422 tokens. Please reduce the length of the messages.",
        'invalid_request_error',
        'context_length_exceeded',
      ),
    expect: { kind: 'too_large', status: 400 },
  },
  {
    id: 'a parameter out of range',
    run: () =>
      says(
        400,
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
        'invalid_request_error',
        'decimal_above_max_value',
      ),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'a prompt that the content filter refuses',
    run: async () =>
      ask(
        await reply(400, {
          error: {
            message:
              "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
            type: null,
            param: 'prompt',
            code: 'content_filter',
            status: 400,
            innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { violence: { filtered: true, severity: 'high' } } },
          },
        }),
      ),
    expect: { kind: 'denied', status: 400 },
  },
  {
    id: 'a prompt that breaks the usage policy',
    run: () =>
      says(
        400,
        'Your request was rejected as a result of our safety system. Your prompt may contain text that is not allowed by our safety system.',
        'invalid_request_error',
        'content_policy_violation',
      ),
    expect: { kind: 'denied', status: 400 },
  },
  {
    id: 'a rate limit with retry-after-ms',
    run: () =>
      says(
        429,
        'Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Used 29500, Requested 1200. Please try again in 1.4s.',
        'tokens',
        'rate_limit_exceeded',
        {
          'retry-after-ms': '1400',
          'retry-after': '2',
        },
      ),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 1_400 },
  },
  {
    id: 'a rate limit whose text says when',
    run: () =>
      says(
        429,
        'Rate limit reached for gpt-5 in organization org-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
        'requests',
        'rate_limit_exceeded',
      ),
    expect: { kind: 'rate_limited', status: 429, retryAfterMs: 20_000 },
  },
  {
    id: 'a spent quota',
    run: () =>
      says(429, 'You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota', 'insufficient_quota'),
    expect: { kind: 'budget_exhausted', status: 429, retryable: false },
  },
  {
    id: 'a server error',
    run: () => says(500, 'The server had an error while processing your request. Sorry about that!', 'server_error', null),
    expect: { kind: 'upstream', status: 500 },
  },
  {
    id: 'an overloaded engine',
    run: () => says(503, 'The engine is currently overloaded, please try again later', 'server_error', null),
    expect: { kinds: ['upstream', 'not_ready'], status: 503, retryable: true },
  },
  { id: 'a 502 page', run: async () => ask(await html(502, 'Bad Gateway')), expect: { kind: 'upstream', status: 502 } },
  { id: 'JSON that stops early', run: async () => ask(await brokenJson()), expect: { kinds: ['bad_response', 'invalid_input'] } },
  { id: 'a body that is cut off', run: async () => ask(await truncated()), expect: cutOff },
  {
    id: 'an error in the middle of a stream',
    run: async () => {
      const stream = await client(await failingStream()).chat.completions.create({ model: 'gpt-5', messages: [], stream: true });
      for await (const chunk of stream) void chunk;
    },
    expect: { kind: 'upstream', retryable: true },
  },
  {
    id: 'an answer cut by the token limit',
    run: () => parse('length'),
    expect: { kinds: ['too_large', 'bad_response'], retryable: 'either' },
  },
  { id: 'an answer stopped by the content filter', run: () => parse('content_filter'), expect: { kind: 'denied' } },
  { id: 'a timeout', run: async () => ask(await hang(), { timeout: 120 }), expect: timeout },
  { id: 'a closed port', run: async () => ask(await refused()), expect: unreachable },
  { id: 'an unknown host', run: () => ask(unknownHost), expect: unknownName },
  { id: 'a reset', run: async () => ask(await reset()), expect: unreachable },
  { id: "the caller's abort", run: async () => ask(await hang(), {}, abortSoon()), expect: cancelled },
  { id: 'no key at all', run: () => new OpenAI().models.list(), expect: { kind: 'not_configured' } },
]);
