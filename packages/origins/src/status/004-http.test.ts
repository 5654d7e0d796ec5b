import { contextFromHeaders } from '@toolpact/origins/status';
import { createServer } from '@toolpact/server';
import { createClient } from '@toolpact/server/client';
import { defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietBox } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const look = defineTool({
  name: 'look',
  description: 'x',
  input: z.object({ query: z.string() }),
  effects: 'none',
  run: (_, { tenantId, traceId, runId, ids, locale, safetyMode, budgetTokens, remainingMs }) => ({
    tenantId,
    traceId,
    runId: runId ?? null,
    ids: ids ?? null,
    locale: locale ?? null,
    safetyMode: safetyMode ?? null,
    budgetTokens: budgetTokens ?? null,
    minutes: Math.ceil(remainingMs / 60_000),
  }),
});
const server = createServer(quietBox([look], { preset }), { auditLog: false });

async function post(headers: Readonly<Record<string, string>>) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"query":"hello"}' };
  const response = await server.fetch(new Request('http://127.0.0.1/v1/tools/look', request));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('004 the context of a request', () => {
  test('004-02 `tenant_id` is taken from the header, and a request without one is refused', async () => {
    expect(contextFromHeaders({ 'X-Tenant-ID': tenant })).toMatchObject({ value: { tenant_id: tenant } });
    expect(contextFromHeaders({}).issues).toBeDefined();
    expect(await post({ 'x-tenant-id': tenant })).toMatchObject({ status: 200, body: { data: { tenantId: tenant } } });
    expect(await post({})).toMatchObject({ status: 400, body: { status: 'error', error: { type: 'VALIDATION' } } });
  });

  const traces = {
    'X-Trace-ID': { headers: { 'x-trace-id': 'trace-1' } },
    'X-Request-ID': { headers: { 'x-request-id': 'trace-1' } },
    'the query': { query: '?trace_id=trace-1' },
    'the body': { body: { trace_id: 'trace-1' } },
    traceparent: { headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } },
  };
  test.each(Object.entries(traces))('004-03 the server reads the trace id from %s', async (_, sent) => {
    const { headers, query = '', body } = { headers: {}, body: {}, ...sent } as { headers: object; query?: string; body: object };
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-id': tenant, ...headers },
      body: JSON.stringify({ query: 'hello', ...body }),
    };
    const response = await server.fetch(new Request(`http://127.0.0.1/v1/tools/look${query}`, request));
    const traceId = 'traceparent' in headers ? '0af7651916cd43dd8448eb211c80319c' : 'trace-1';
    expect(await response.json()).toMatchObject({ status: 'ok', input: { query: 'hello' }, data: { traceId } });
    expect(response.headers.get('x-trace-id')).toBe(traceId);
  });

  test('004-18 every field of the context but `auth` accompanies a call over HTTP', async () => {
    const sent = {
      'x-tenant-id': tenant,
      'x-trace-id': 'trace-123',
      'x-run-id': 'graph_run_cfe213',
      'x-workflow-id': 'retrieval_augmented_generation',
      'x-collection-id': 'hr-onboarding',
      'x-document-id': 'doc-1',
      'x-document-version-id': 'v-1',
      'x-case-id': 'crm-7421',
      'x-locale': 'de-DE',
      'x-safety-mode': 'strict',
      'x-budget-tokens': '4096',
      'x-timeouts-ms': '120000',
    };
    expect((await post(sent)).body.data).toEqual({
      tenantId: tenant,
      traceId: 'trace-123',
      runId: 'graph_run_cfe213',
      ids: {
        workflowId: 'retrieval_augmented_generation',
        collectionId: 'hr-onboarding',
        documentId: 'doc-1',
        documentVersionId: 'v-1',
        caseId: 'crm-7421',
      },
      locale: 'de-DE',
      safetyMode: 'strict',
      budgetTokens: 4096,
      minutes: 2,
    });
  });

  test('004-18 the client sends them', async () => {
    const client = createClient('http://127.0.0.1', { fetch: (...args) => server.fetch(new Request(...args)), retry: false });
    const context = { tenantId: tenant, timeoutMs: 120_000, budgetTokens: 4096, locale: 'de-DE', safetyMode: 'strict' };
    expect(await client.call('look', { query: 'hello' }, context)).toMatchObject({
      data: { tenantId: tenant, minutes: 2, budgetTokens: 4096, locale: 'de-DE', safetyMode: 'strict' },
    });
  });

  test('004-20 a request with both runs is refused', async () => {
    expect(await post({ 'x-tenant-id': tenant, 'x-run-id': 'run_1', 'x-ingestion-run-id': 'ingest_1' })).toMatchObject({ status: 400 });
  });

  test('004-32 an answer has only the documented fields', async () => {
    const { body } = await post({ 'x-tenant-id': tenant });
    expect(Object.keys(body)).toEqual(['status', 'input', 'data', 'meta']);
    expect(Object.keys(body.meta as object)).toEqual(['took_ms']);
  });
});
