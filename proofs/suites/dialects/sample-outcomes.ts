import { catalogue, type FailureKind, type Meta, type Outcome } from 'toolpact';
import { makeFailure } from 'toolpact/internal';

const bare: Meta = { tookMs: 1.5, attempts: 1 };
const meta: Meta = {
  tool: 'rag:search',
  invocationId: 'i-1',
  traceId: 't-1',
  callId: 'c-1',
  tookMs: 41.25,
  attempts: 2,
  sessionId: 's-1',
  resourceType: 'rag',
  temporarySession: true,
  runId: 'r-1',
  ids: { ingestionRunId: 'g-1' },
  tenantId: 'n-1',
  replayed: true,
  cacheHit: false,
  tokenUsage: { prompt: 12 },
  sourceCounts: { kb: 3 },
  routing: { profile: 'standard' },
  resultRef: 'spill:1',
  truncated: true,
  warnings: ['results: 900 items, cut to 100'],
};

const failure = makeFailure('rate_limited', {
  message: 'The map service asks to slow down.',
  code: 'insufficient_funds',
  retryAfterMs: 7000.5,
  effect: 'applied',
  issues: [
    {
      path: ['stops', 0, 'url'],
      problem: 'format',
      format: 'uri',
      expected: 'a URL',
      received: 'string',
      message: 'no URL',
      hint: 'Send one.',
    },
  ],
  upstream: { status: 429, endpoint: 'https://maps.example/spots', requestId: 'q-1' },
  errorType: '429',
  attempt: 2,
  cause: 'HttpError',
  details: { quota: 60 },
  debugId: 'i-1',
});

/** Data with every key that an envelope could take for its own. */
const hostile: unknown = JSON.parse(
  '{"success":false,"error":"mine","error_code":"x","code":1,"message":"m","status":"error","data":null,"value":1,"result":2,"meta":{},"input":3,"isError":true,"content":[],"output":4,"failed_count":9,"_toolpact":{"v":1},"_meta":{},"__proto__":{"admin":true},"constructor":5}',
);

const results: readonly unknown[] = [
  { results: [{ id: 1 }] },
  {},
  [],
  [1, 'two', null],
  'text',
  '',
  0,
  -1.5,
  true,
  false,
  null,
  hostile,
  { result: 1 },
  { data: 1 },
];

/** Outcomes of every status and kind, with every field there is, and with payloads that look like envelopes. */
export const sampleOutcomes: readonly Outcome[] = Object.freeze([
  ...results.map((data): Outcome => ({ status: 'ok', data, meta: bare })),
  ...results.map((data): Outcome => ({ status: 'ok', data, input: { q: 'x', results: 'given' }, message: 'Found.', meta })),
  {
    status: 'ok',
    data: { a: 1 },
    content: [
      { type: 'text', text: 'A map.' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', uri: 'file:///a', mimeType: 'text/plain', text: 'inside' },
    ],
    meta,
  },
  ...(Object.keys(catalogue) as FailureKind[]).map(
    (kind): Outcome => ({ status: 'error', error: makeFailure(kind, { message: 'It went wrong.' }), meta: bare }),
  ),
  { status: 'error', error: failure, input: { q: 'x' }, meta },
  ...results.map(
    (data): Outcome => ({ status: 'error', error: failure, data: data as null, fallback: { results: [] }, input: ['list'], meta }),
  ),
  ...results.map(
    (fallback): Outcome => ({
      status: 'error',
      error: failure,
      fallback,
      failures: [{ index: 0, id: 'a', error: failure }],
      input: { q: 'x' },
      meta,
    }),
  ),
  ...results.map((data): Outcome => ({ status: 'partial', data, failures: [{ index: 1, error: failure }], total: 2, meta: bare })),
  {
    status: 'partial',
    data: [1, null],
    message: 'half done',
    content: [{ type: 'text', text: 'one' }],
    failures: [{ index: 1, id: 'b', error: failure }],
    total: 2,
    input: {},
    meta,
  },
  { status: 'pending', pending: { handle: 'h-1', reason: 'running' }, meta: bare },
  {
    status: 'pending',
    pending: {
      handle: 'h-1',
      reason: 'input',
      ask: { message: 'Which?', schema: { type: 'string' } },
      expiresAt: '2030-01-01T00:00:00Z',
      pollAfterMs: 500,
      progress: { message: 'Half of it.', percent: 50 },
    },
    message: 'Waiting for you.',
    input: { q: 'x' },
    meta,
  },
] satisfies Outcome[]);
