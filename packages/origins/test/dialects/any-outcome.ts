import fc from 'fast-check';
import { catalogue, type FailureKind, type JsonObject, type JsonValue, type Outcome } from 'toolpact';

/** Keys that a careless envelope would take for its own, or for a prototype. */
const hostileKeys = [
  'success',
  'error',
  'error_code',
  '__proto__',
  'constructor',
  'toString',
  '_toolpact',
  '_meta',
  'data',
  'value',
  'result',
  'code',
  'message',
  'status',
  'meta',
  'input',
  'pending',
  'failed_count',
  'held',
  'keys',
  'isError',
  'output',
  '',
];
const hostileTexts = [
  '',
  '[error: timeout] no',
  '[error: timeout/a]b] no',
  '[partial] 1 of 2 failed.',
  '[pending: running] Still running. Do not call it again. (handle: h-1)',
  '\u0000',
  '\ud83d',
  'success',
  'OK',
  '(handle: x)',
];

const text = fc.oneof({ weight: 4, arbitrary: fc.string({ maxLength: 12 }) }, { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) });
/** Not for keys: `JSON.parse` of Node 24.21 takes a key that is written with an escape for another one of its length that it read before. */
const isEscaped = (name: string): boolean => JSON.stringify(name) !== `"${name}"`;
const plainKey = fc.string({ maxLength: 6 }).filter((name) => !isEscaped(name));
const key = fc.oneof(plainKey, fc.constantFrom(...hostileKeys));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((given) => given + 0);
const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, fc.array(tie('json'), { maxLength: 3 }), toObject(tie('json'))),
}));

function toObject(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** Any JSON value, hostile keys and texts included. */
export const anyJson: fc.Arbitrary<JsonValue> = json;
const jsonObject = toObject(json);
const counts = fc.dictionary(
  plainKey.filter((name) => name !== '' && name !== '__proto__'),
  fc.nat(),
  { maxKeys: 3 },
);

/** A record in which every optional field is there or not. */
function some<T extends object = JsonObject>(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  ...optional: string[]
): fc.Arbitrary<T> {
  const requiredKeys = Object.keys(fields).filter((name) => !optional.includes(name));
  return fc.record(fields, { requiredKeys }) as unknown as fc.Arbitrary<T>;
}

const issue = some(
  {
    path: fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.nat(9)), { maxLength: 3 }),
    problem: fc.constantFrom('missing', 'type', 'format', 'extra', 'rule'),
    format: fc.constantFrom('uri', 'email'),
    expected: text,
    received: text,
    message: text,
    hint: text,
  },
  'format',
  'expected',
  'received',
  'hint',
);

/** Any failure of the given kinds. */
export function anyFailure(
  kind: fc.Arbitrary<FailureKind> = fc.constantFrom(...(Object.keys(catalogue) as FailureKind[])),
): fc.Arbitrary<JsonObject> {
  return some(
    {
      kind,
      code: fc.oneof(text, fc.constantFrom('crawling_error', 'backend_not_initialized', 'insufficient_funds', 'partial_failure')),
      message: text,
      advice: text,
      recovery: fc.constantFrom('fix_input', 'wait', 'verify', 'reauth', 'ask_user', 'other_tool', 'stop'),
      retryable: fc.boolean(),
      retryAfterMs: fc.oneof(
        fc.nat(),
        fc.double({ min: 0, max: 1e9, noNaN: true }).map((given) => given + 0),
      ),
      effect: fc.constantFrom('none', 'applied', 'unknown'),
      issues: fc.array(issue, { maxLength: 3 }),
      upstream: some({ status: fc.integer({ min: 100, max: 599 }), endpoint: text, requestId: text }, 'status', 'endpoint', 'requestId'),
      errorType: text,
      attempt: fc.integer({ min: 1, max: 9 }),
      cause: text,
      details: jsonObject,
      debugId: text,
    },
    'code',
    'advice',
    'retryAfterMs',
    'issues',
    'upstream',
    'errorType',
    'attempt',
    'cause',
    'details',
    'debugId',
  );
}

const metaFields = {
  tool: fc.oneof(fc.constantFrom('rag:search', 'search', ''), text),
  invocationId: text,
  traceId: text,
  callId: text,
  sessionId: text,
  resourceType: text,
  temporarySession: fc.boolean(),
  runId: text,
  ids: fc.dictionary(
    text.filter((name) => !isEscaped(name)),
    text,
  ),
  tenantId: text,
  replayed: fc.boolean(),
  cacheHit: fc.boolean(),
  tokenUsage: counts,
  sourceCounts: counts,
  routing: jsonObject,
  resultRef: text,
  truncated: fc.boolean(),
  warnings: fc.array(text, { maxLength: 2 }),
};
const meta = some(
  {
    ...metaFields,
    tookMs: fc.oneof(fc.double({ min: 0.001, max: 1e6, noNaN: true }), fc.integer({ min: 1, max: 9999 })),
    attempts: fc.nat(9),
  },
  ...Object.keys(metaFields),
);

const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constantFrom('image', 'audio'), data: fc.base64String({ maxLength: 8 }), mimeType: text }),
    some(
      { type: fc.constant('resource'), uri: text, mimeType: text, text, data: fc.base64String({ maxLength: 8 }) },
      'mimeType',
      'text',
      'data',
    ),
  ),
  { maxLength: 3 },
);
const failures = fc.array(some({ index: fc.nat(9), id: text, error: anyFailure() }, 'id'), { maxLength: 3 });
const data = fc.oneof({ weight: 2, arbitrary: jsonObject }, { weight: 1, arbitrary: json });
const input = fc.oneof({ weight: 3, arbitrary: jsonObject }, { weight: 1, arbitrary: json });

/** Any outcome of each status, with every optional field there or not. */
export const anyOutcomeOf: Readonly<Record<Outcome['status'], fc.Arbitrary<Outcome>>> = {
  ok: some({ status: fc.constant('ok'), data, message: text, content, input, meta }, 'message', 'content', 'input'),
  partial: some(
    { status: fc.constant('partial'), data, message: text, content, failures, total: fc.nat(99), input, meta },
    'message',
    'content',
    'input',
  ),
  error: some(
    { status: fc.constant('error'), error: anyFailure(), data, fallback: data, failures, input, meta },
    'data',
    'fallback',
    'failures',
    'input',
  ),
  pending: some(
    {
      status: fc.constant('pending'),
      pending: some(
        {
          handle: text,
          reason: fc.constantFrom('approval', 'input', 'running', 'host'),
          ask: some({ message: text, schema: jsonObject }, 'schema'),
          expiresAt: text,
          pollAfterMs: fc.nat(),
          progress: some({ message: text, percent: fc.nat() }, 'message', 'percent'),
        },
        'ask',
        'expiresAt',
        'pollAfterMs',
        'progress',
      ),
      message: text,
      input,
      meta,
    },
    'message',
    'input',
  ),
};

/** Any outcome at all; failures come most often. */
export const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 3, arbitrary: anyOutcomeOf.ok },
  { weight: 2, arbitrary: anyOutcomeOf.partial },
  { weight: 4, arbitrary: anyOutcomeOf.error },
  { weight: 1, arbitrary: anyOutcomeOf.pending },
);
