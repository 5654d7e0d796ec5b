import type { JsonObject } from 'toolpact';

const text: JsonObject = { type: 'string', maxLength: 512 };
const uuid: JsonObject = { type: 'string', format: 'uuid' };
const tenantExample = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const traceExample = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Headers a caller may send with a call, by the name of their component: header, what it says, schema, example. */
const sent: Readonly<Record<string, readonly [header: string, description: string, schema: JsonObject, example: string | number]>> = {
  IdempotencyKey: [
    'Idempotency-Key',
    'Makes calls with the same key and arguments one call: it runs once, and every further one gets its outcome. The same key with other arguments is a conflict.',
    { type: 'string', minLength: 1, maxLength: 512 },
    'order-4711',
  ],
  TenantId: [
    'X-Tenant-ID',
    'The tenant of the call. Where the server asks for a credential, the tenant comes from that, and this header may only repeat it.',
    uuid,
    tenantExample,
  ],
  TraceParent: [
    'traceparent',
    'The W3C trace this call belongs to. Its trace id is used unless X-Trace-ID or X-Request-ID names another.',
    text,
    `00-${traceExample}-00f067aa0ba902b7-01`,
  ],
  SentTraceId: ['X-Trace-ID', 'The trace id of the call; the answer repeats it, also when the call fails.', text, traceExample],
  RequestId: ['X-Request-ID', 'The id of the request at the caller, the same for every attempt.', text, 'request-9'],
  SentInvocationId: ['X-Invocation-ID', 'The id of this one call.', uuid, '0f4e6712-6d04-4514-b6cb-943b0667d45c'],
  RunId: ['X-Run-ID', 'The run of an agent or graph. Not together with X-Ingestion-Run-ID.', text, 'run_cfe213'],
  IngestionRunId: ['X-Ingestion-Run-ID', 'The run of an upload or ingestion. Not together with X-Run-ID.', text, 'ingest_cfe213'],
  WorkflowId: ['X-Workflow-ID', 'The workflow that makes the call.', text, 'retrieval'],
  CollectionId: ['X-Collection-ID', 'The collection the call works on.', text, 'hr-onboarding'],
  DocumentId: ['X-Document-ID', 'The document the call works on.', text, 'document-7'],
  DocumentVersionId: ['X-Document-Version-ID', 'The version of that document.', text, 'version-2'],
  CaseId: [
    'X-Case-ID',
    'The business case the call belongs to.',
    { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' },
    'crm-7421',
  ],
  TimeoutsMs: [
    'X-Timeouts-Ms',
    'Milliseconds for the whole call: at most what the tool states, what the body states and what the server allows.',
    { type: 'integer', minimum: 1 },
    120_000,
  ],
  BudgetTokens: ['X-Budget-Tokens', 'How many tokens the run of the call may spend.', { type: 'integer' }, 4096],
  Locale: ['X-Locale', 'The locale that the tool may use.', text, 'de-DE'],
  SafetyMode: ['X-Safety-Mode', 'The name of the guardrail profile; one that the server itself has set stays.', text, 'strict'],
};

/** The headers that belong to every call. */
export const callParameters: readonly JsonObject[] = refs(Object.keys(sent).filter((name) => name !== 'IdempotencyKey'));

/** The header that belongs to calls of one tool. */
export const keyParameter: JsonObject = ref('IdempotencyKey');

/** The parameters that select the form of an answer. */
export const formParameters: readonly JsonObject[] = refs(['Dialect', 'Strict']);

/** The parameters that select a page. */
export const pageParameters: readonly JsonObject[] = refs(['Offset', 'Limit']);

/** Returns the parameter that a path holds. */
export function pathParameter(name: string, description: string, example: string): JsonObject {
  return { name, in: 'path', required: true, description, schema: { type: 'string', minLength: 1 }, example };
}

/** Returns all shared parameters; `formatNames` are those of the forms that a request can select. */
export function sharedParameters(formatNames: readonly string[]): JsonObject {
  return {
    ...Object.fromEntries(
      Object.entries(sent).map(([name, [header, description, schema, example]]) => [
        name,
        { name: header, in: 'header', required: false, description, schema, example },
      ]),
    ),
    Dialect: query(
      'dialect',
      'The form of the answer; `Accept: application/json; profile=…` selects it too. Without either, each operation has its usual one.',
      { enum: [...formatNames] },
      'problem',
    ),
    Strict: query(
      'strict',
      'Whether the answer holds only what its dialect documents, or also the block from which the whole outcome can be read back.',
      { type: 'boolean' },
      false,
    ),
    Offset: query('offset', 'Where to start.', { type: 'integer', minimum: 0, default: 0 }, 0),
    Limit: query('limit', 'How many to give at most.', { type: 'integer', minimum: 1 }, 50),
  };
}

/** Returns all shared headers of answers. */
export function sharedHeaders(formatNames: readonly string[]): JsonObject {
  const header = (description: string, schema: JsonObject, example: string | number): JsonObject => ({ description, schema, example });
  return {
    TraceId: header('The trace id of the call, on failures too.', { type: 'string' }, traceExample),
    InvocationId: header('The id of the call.', { type: 'string' }, '01a1df05-a9a0-78b1-8ab6-000000000007'),
    Dialect: header('The form of the body.', { enum: [...formatNames] }, 'outcome'),
    RetryAfter: header('After how many seconds asking again makes sense.', { type: 'integer', minimum: 0 }, 8),
    Replayed: header('Whether the outcome is that of an earlier call with the same Idempotency-Key.', { enum: ['true', 'false'] }, 'false'),
  };
}

function query(name: string, description: string, schema: JsonObject, example: string | number | boolean): JsonObject {
  return { name, in: 'query', required: false, description, schema, example };
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

function refs(names: readonly string[]): JsonObject[] {
  return names.map(ref);
}
