import { createToolbox } from 'toolpact';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authenticate } from '../src/index.ts';
import { sampleTools } from './sample-tools.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const other = '6bb31da6-9278-4da0-9f1a-61b8d3edc5cc';
const nil = '00000000-0000-0000-0000-000000000000';
const auth: Authenticate = ({ headers }) =>
  headers.get('authorization') === 'Bearer a' ? { tenantId: tenant, subject: 'ann' } : undefined;

describe.each(ways)('the context of calls through the %s', (way) => {
  let open: Served;
  let closed: Served;
  const whoami = async (served: Served, headers: Record<string, string>, body: unknown = {}) =>
    served.send('POST', '/v1/tools/whoami', { headers, body });
  beforeAll(async () => {
    const toolbox = createToolbox(sampleTools, { report: () => {} });
    open = await serve(way, toolbox);
    closed = await serve(way, toolbox, { auth });
  });
  afterAll(async () => {
    await open.close();
    await closed.close();
  });

  test('comes from the headers, and what matters to the caller is sent back', async () => {
    const sent = {
      'x-tenant-id': tenant,
      'x-run-id': 'run_1',
      'x-case-id': 'crm-7421',
      'x-workflow-id': 'w',
      'x-request-id': 'r1',
      'x-trace-id': 't1',
      'x-invocation-id': '0f4e6712-6d04-4514-b6cb-943b0667d45c',
    };
    const { json, headers } = await whoami(open, sent);
    expect(json.data).toMatchObject({
      tenantId: tenant,
      runId: 'run_1',
      caseId: 'crm-7421',
      workflowId: 'w',
      requestId: 'r1',
      traceId: 't1',
    });
    expect(json.meta).toMatchObject({ invocationId: sent['x-invocation-id'], runId: 'run_1', tenantId: tenant, traceId: 't1' });
    expect(headers).toMatchObject({ 'x-request-id': 'r1', 'x-case-id': 'crm-7421', 'x-run-id': 'run_1', 'x-trace-id': 't1' });
  });

  test('nothing is made up for a caller that says nothing', async () => {
    const { json } = await whoami(open, {});
    expect(json.data).toMatchObject({ tenantId: nil });
    expect(json.data).not.toHaveProperty('runId');
    expect(json.meta).not.toHaveProperty('runId');
  });

  test('session and worker come from their headers, and belong to one request alone', async () => {
    expect((await whoami(open, { 'x-session-id': 's-1' })).json.data).toMatchObject({ sessionId: 's-1' });
    expect((await whoami(open, {})).json.data).not.toHaveProperty('sessionId');
  });

  test('an ingestion runs under an id of its own', async () => {
    expect((await whoami(open, { 'x-ingestion-run-id': 'ingest_7' })).json.data).toMatchObject({ ingestionRunId: 'ingest_7' });
  });

  test.each([
    ['x-tenant-id', 'acme', 'tenant_id'],
    ['x-case-id', '-bad', 'case_id'],
    ['x-invocation-id', 'no', 'invocation_id'],
    ['x-trace-id', 'x'.repeat(600), 'trace_id'],
  ])('a bad %s is refused and named', async (name, value, field) => {
    const { status, json, headers } = await whoami(open, { [name]: value });
    expect([status, json.error.kind, json.error.issues[0].path]).toEqual([400, 'invalid_input', [field]]);
    expect(headers['x-trace-id']).toBe(json.meta.traceId);
  });

  test('two runs at once are refused', async () => {
    expect((await whoami(open, { 'x-run-id': 'run_1', 'x-ingestion-run-id': 'ingest_1' })).status).toBe(400);
  });

  test('with authentication the tenant and the user are those of the credential', async () => {
    const { status, json } = await whoami(closed, { authorization: 'Bearer a' });
    expect([status, json.data.tenantId, json.data.userId]).toEqual([200, tenant, 'ann']);
    expect((await whoami(closed, { authorization: 'Bearer a', 'x-tenant-id': tenant.toUpperCase() })).status).toBe(200);
  });

  test('with authentication a header that names another tenant is refused', async () => {
    const { status, json } = await whoami(closed, { authorization: 'Bearer a', 'x-tenant-id': other });
    expect([status, json.error.kind]).toEqual([403, 'forbidden']);
  });

  test.each([
    ['/v1/tools/whoami', { tenant_id: other, tenantId: other, user_id: 'eve', userId: 'eve', scopes: ['*'] }],
    ['/v1/execute?dialect=outcome', { action: 'whoami', tenant_id: other, tenantId: other, user_id: 'eve', params: { tenantId: other } }],
  ])('no field of a body to %s can change who asks', async (path, body) => {
    const { json } = await closed.send('POST', path, { headers: { authorization: 'Bearer a' }, body });
    expect([json.data.tenantId, json.data.userId, json.meta.tenantId]).toEqual([tenant, 'ann', tenant]);
  });

  test.each(['/v1/tools', '/healthz', '/openapi.json', '/nothing'])(
    '%s tells a trace id that no header can hold in one that can',
    async (path) => {
      const { headers } = await open.send('GET', `${path}?trace_id=%E2%82%AC1`);
      expect(headers['x-trace-id']).toBe('%E2%82%AC1');
    },
  );

  test('every request for calls may bring a trace id in its body', async () => {
    const execute = await open.send('POST', '/v1/execute', { body: { action: 'whoami', trace_id: 'body-1' } });
    expect([execute.headers['x-trace-id'], execute.json.meta.trace_id, execute.json.data.traceId]).toEqual(['body-1', 'body-1', 'body-1']);
    const batch = await open.send('POST', '/v1/batch?trace_id=query-1', { body: { calls: [{ tool: 'whoami' }, { tool: 'add' }] } });
    expect([batch.headers['x-trace-id'], batch.json.meta.traceId]).toEqual(['query-1', 'query-1']);
    expect(batch.json.data.results.map(({ outcome }: { outcome: { meta: { traceId: string } } }) => outcome.meta.traceId)).toEqual([
      'query-1',
      'query-1',
    ]);
    expect((await whoami(open, {}, { trace_id: 'body-1' })).json.data.traceId).toBe('body-1');
  });
});
