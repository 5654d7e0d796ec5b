import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextFromHeaders, type HeaderSource } from './context-from-headers.ts';

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const invocation = '0f4e6712-6d04-4514-b6cb-943b0667d45c';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
const optional = { tenant: 'optional' } as const;
const messagesOf = (headers: HeaderSource) => contextFromHeaders(headers, optional).issues?.map(({ message }) => message);

describe('contextFromHeaders', () => {
  const all = {
    'X-Tenant-ID': tenant,
    'X-Request-ID': 'req-1',
    'X-Trace-ID': 'trace-1',
    'X-Invocation-ID': invocation,
    'X-Ingestion-Run-ID': 'ingest_1',
    'X-Workflow-ID': 'flow',
    'X-Collection-ID': 'coll',
    'X-Document-ID': 'doc',
    'X-Document-Version-ID': 'v2',
    'X-Case-ID': 'crm-7421',
    'Idempotency-Key': 'key-1',
    'X-Timeouts-Ms': '120000',
    'X-Budget-Tokens': '4096',
    'X-Locale': 'de-DE',
    'X-Safety-Mode': 'strict',
    'Content-Type': 'application/json',
  };
  const read = {
    tenant_id: tenant,
    request_id: 'req-1',
    trace_id: 'trace-1',
    invocation_id: invocation,
    now_iso: expect.any(String),
    ingestion_run_id: 'ingest_1',
    workflow_id: 'flow',
    collection_id: 'coll',
    document_id: 'doc',
    document_version_id: 'v2',
    case_id: 'crm-7421',
    idempotency_key: 'key-1',
    timeouts_ms: 120_000,
    budget_tokens: 4_096,
    locale: 'de-DE',
    safety_mode: 'strict',
  };

  it.each<[string, HeaderSource]>([
    ['a plain object', all],
    ['lower-case names', Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))],
    ['lists of values', Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value, 'second']]))],
    ['Headers', new Headers(all)],
    ['a map', new Map(Object.entries(all))],
  ])('reads every header from %s', (_, headers) => {
    expect(contextFromHeaders(headers)).toEqual({ value: read });
  });

  it.each([undefined, 'required'] as const)('refuses a request without a tenant when it is %s', (tenant) => {
    expect(contextFromHeaders({ 'X-Trace-ID': 'trace-1' }, { tenant })).toEqual({
      issues: [{ message: 'X-Tenant-ID is required', path: ['tenant_id'] }],
    });
    expect(contextFromHeaders({ 'X-Tenant-ID': '' }, { tenant }).issues).toHaveLength(1);
    expect(contextFromHeaders({ 'X-Tenant-ID': 5 as unknown as string }, { tenant }).issues).toEqual([
      { message: 'X-Tenant-ID must be a string', path: ['tenant_id'] },
    ]);
  });

  it('fills what no header says, except the case', () => {
    expect(contextFromHeaders({}, optional)).toEqual({
      value: {
        tenant_id: '00000000-0000-0000-0000-000000000000',
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        invocation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        now_iso: expect.any(String),
        run_id: expect.stringMatching(/^run_/),
      },
    });
  });

  it.each<[string, Record<string, string>, object, unknown]>([
    ['X-Trace-ID', { 'X-Trace-Id': 'a', 'X-Request-ID': 'b', traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'a'],
    ['X-Request-ID', { 'X-Request-ID': 'b', traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'b'],
    ['the query', { traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'c'],
    ['URLSearchParams', { traceparent }, { query: new URLSearchParams('trace_id=c') }, 'c'],
    ['a repeated query field', { traceparent }, { query: { trace_id: ['c', 'e'] } }, 'c'],
    ['the body', { traceparent }, { query: {}, body: { trace_id: 'd' } }, 'd'],
    ['traceparent', { traceparent }, { query: {}, body: 'text' }, trace],
    ['traceparent of a later version', { traceparent: `01-${trace}-00f067aa0ba902b7-01-more` }, {}, trace],
    ['the next one where a header is empty', { 'X-Trace-Id': ' ', traceparent }, {}, trace],
    ['no inherited field', {}, { body: Object.create({ trace_id: 'x' }) }, expect.stringMatching(/^[0-9a-f]{32}$/)],
  ])('takes the trace id from %s', (_, headers, sources, expected) => {
    expect(contextFromHeaders(headers, { ...sources, ...optional })).toMatchObject({ value: { trace_id: expected } });
  });

  it.each([
    ['an all-zero trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['an all-zero parent', `00-${trace}-${'0'.repeat(16)}-01`],
    ['the forbidden version', `ff-${trace}-00f067aa0ba902b7-01`],
    ['upper case', traceparent.toUpperCase()],
    ['too much for its version', `${traceparent}-more`],
    ['a short trace', '00-abc-00f067aa0ba902b7-01'],
  ])('ignores a traceparent with %s', (_, broken) => {
    const result = contextFromHeaders({ traceparent: broken }, optional);
    expect(result).toMatchObject({ value: { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(result).not.toMatchObject({ value: { trace_id: trace } });
  });

  it.each<[string, HeaderSource, string]>([
    ['a tenant that is no UUID', { 'X-Tenant-ID': 'acme' }, 'tenant_id must be a UUID'],
    ['an invocation that is no UUID', { 'X-Invocation-ID': 'one' }, 'invocation_id must be a UUID'],
    ['both runs', { 'X-Run-ID': 'run_1', 'X-Ingestion-Run-ID': 'ingest_1' }, 'exactly one of run_id and ingestion_run_id must be set'],
    [
      'a case of another form',
      { 'X-Case-ID': '-a' },
      'X-Case-ID must be 1 to 128 letters, digits, ".", "_", ":" or "-", and start with a letter or digit',
    ],
    ['an overlong value', { 'X-Trace-Id': 'a'.repeat(513) }, 'X-Trace-ID must not be longer than 512 characters'],
    ['a line break', { 'X-Workflow-ID': 'a\r\nSet-Cookie: b' }, 'X-Workflow-ID must not hold control characters'],
    ['a line break at the end', { 'X-Workflow-ID': 'a\n' }, 'X-Workflow-ID must not hold control characters'],
    ['a null character', { 'Idempotency-Key': 'a\0' }, 'Idempotency-Key must not hold control characters'],
    ['a time that is no number', { 'X-Timeouts-Ms': '2 min' }, 'X-Timeouts-Ms must be an integer'],
    ['a time of zero', { 'X-Timeouts-Ms': '0' }, 'timeouts_ms must be an integer above 0'],
    ['a fraction of a token', { 'X-Budget-Tokens': '1.5' }, 'X-Budget-Tokens must be an integer'],
    ['a value that is no string', { 'X-Run-ID': 5 as unknown as string }, 'X-Run-ID must be a string'],
  ])('refuses %s', (_, headers, message) => {
    expect(messagesOf(headers)).toEqual([message]);
  });

  it('refuses a trace id in the body that is no string', () => {
    expect(contextFromHeaders({}, { body: { trace_id: 5 }, ...optional })).toEqual({
      issues: [{ message: 'trace_id in the body must be a string', path: ['trace_id'] }],
    });
  });

  it('reads nothing but the trace id from query and body', () => {
    const source = { auth: { token: 'x' }, tenant_id: tenant, case_id: 'c', run_id: 'r' };
    const result = contextFromHeaders({}, { query: source, body: source, ...optional });
    expect(result).toMatchObject({ value: { tenant_id: '00000000-0000-0000-0000-000000000000' } });
    expect(result).not.toMatchObject({ value: { auth: expect.anything() } });
    expect(JSON.stringify(result)).not.toMatch(/"case_id"|"auth"/);
  });

  it('never throws', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('read');
        },
        has: () => {
          throw new Error('read');
        },
      },
    );
    expect(messagesOf(hostile)).toEqual(['the request cannot be read']);
    expect(messagesOf(null as unknown as HeaderSource)).toEqual(['the request cannot be read']);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('x-tenant-id', 'X-Case-ID', 'traceparent', 'x-run-id', 'x'), fc.anything()),
        fc.anything(),
        (headers, body) => {
          const result = contextFromHeaders(headers as HeaderSource, { body, query: headers });
          expect('value' in result).toBe(result.issues === undefined);
        },
      ),
    );
  });
});
