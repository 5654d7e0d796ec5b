import { catalogue, type JsonObject, type JsonValue, pendingReasons, recoveries, reservedCodes } from '../outcome/index.ts';

/** Writes the JSON Schema of an outcome around a data schema; kinds, recoveries and codes come from the catalogue. */
export function outcomeSchema(tool: string, data: JsonObject | undefined, codes: readonly string[]): JsonObject {
  // An id of its own keeps the references inside the data schema pointing into it.
  const dataSchema: JsonObject = data === undefined ? {} : { $ref: '#/$defs/data' };
  const own = { input: {}, meta: { $ref: '#/$defs/meta' } };
  return {
    oneOf: [
      arm('ok', { data: dataSchema, message: text, content: listOf('content'), ...own }, ['data', 'meta']),
      arm(
        'partial',
        { data: dataSchema, message: text, content: listOf('content'), failures: listOf('itemFailure'), total: count, ...own },
        ['data', 'failures', 'total', 'meta'],
      ),
      arm('error', { error: { $ref: '#/$defs/failure' }, data: {}, fallback: {}, failures: listOf('itemFailure'), ...own }, [
        'error',
        'meta',
      ]),
      arm('pending', { pending: { $ref: '#/$defs/pending' }, message: text, ...own }, ['pending', 'meta']),
    ],
    $defs: { ...definitions, failure: failureSchema(codes), ...(data && { data: { $id: `toolpact:${tool}/output`, ...data } }) },
  };
}

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const free: JsonObject = { type: 'object' };
const counts: JsonObject = { type: 'object', additionalProperties: count };

function listOf(definition: string): JsonObject {
  return { type: 'array', items: { $ref: `#/$defs/${definition}` } };
}

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required };
}

function arm(status: string, properties: JsonObject, required: readonly string[]): JsonObject {
  return object({ status: { const: status }, ...properties }, ['status', ...required]);
}

function failureSchema(codes: readonly string[]): JsonObject {
  return object(
    {
      kind: { enum: Object.keys(catalogue) },
      code: codes.length === 0 ? text : { enum: [...codes, ...reservedCodes] },
      message: text,
      advice: text,
      recovery: { enum: recoveries },
      retryable: flag,
      retryAfterMs: { type: 'number', minimum: 0 },
      effect: { enum: ['none', 'applied', 'unknown'] },
      issues: listOf('issue'),
      upstream: object({ status: { type: 'integer' }, endpoint: text, requestId: text }, []),
      errorType: text,
      attempt: { type: 'integer', minimum: 1 },
      cause: text,
      details: free,
      debugId: text,
    },
    ['kind', 'message', 'recovery', 'retryable', 'effect'],
  );
}

const definitions: Readonly<Record<string, JsonValue>> = {
  itemFailure: object({ index: count, id: text, error: { $ref: '#/$defs/failure' } }, ['index', 'error']),
  issue: object(
    {
      path: { type: 'array', items: { type: ['string', 'integer'] } },
      problem: { enum: ['missing', 'type', 'format', 'extra', 'rule'] },
      format: text,
      expected: text,
      received: text,
      message: text,
      hint: text,
    },
    ['path', 'problem', 'message'],
  ),
  content: {
    oneOf: [
      object({ type: { const: 'text' }, text }, ['type', 'text']),
      object({ type: { enum: ['image', 'audio'] }, data: text, mimeType: text }, ['type', 'data', 'mimeType']),
      object({ type: { const: 'resource' }, uri: text, mimeType: text, text, data: text }, ['type', 'uri']),
    ],
  },
  pending: object(
    {
      handle: text,
      reason: { enum: [...pendingReasons] },
      ask: object({ message: text, schema: free }, ['message']),
      expiresAt: text,
      pollAfterMs: count,
      progress: object({ message: text, percent: count }, []),
    },
    ['handle', 'reason'],
  ),
  meta: object(
    {
      tool: text,
      invocationId: text,
      traceId: text,
      callId: text,
      tookMs: { type: 'number', minimum: 0.001 },
      attempts: count,
      sessionId: text,
      resourceType: text,
      temporarySession: flag,
      runId: text,
      ids: { type: 'object', additionalProperties: text },
      tenantId: text,
      replayed: flag,
      cacheHit: flag,
      tokenUsage: counts,
      sourceCounts: counts,
      routing: free,
      resultRef: text,
      truncated: flag,
      warnings: { type: 'array', items: text },
    },
    ['tookMs', 'attempts'],
  ),
};
