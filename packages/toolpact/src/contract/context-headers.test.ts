import { expect, test } from 'vitest';
import { readContextHeaders, toUuid } from './context-headers.ts';

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const read = (headers: Readonly<Record<string, unknown>>, ...rest: [sources?: object, tenant?: 'required']) =>
  readContextHeaders((name) => headers[name], ...rest);

test('gives what was sent and fills nothing', () => {
  expect(read({})).toEqual({ value: {} });
  expect(
    read({ 'x-tenant-id': tenant.toUpperCase(), 'x-timeouts-ms': ' 500 ', 'x-case-id': 'crm-7', 'x-locale': '', traceparent: 'x' }),
  ).toEqual({
    value: { tenantId: tenant, timeoutMs: 500, ids: { caseId: 'crm-7' } },
  });
});

test('says of every header what is wrong with it', () => {
  expect(
    read({ 'x-tenant-id': 'acme', 'x-run-id': 'a', 'x-ingestion-run-id': 'b', 'x-budget-tokens': '1.5', 'x-timeouts-ms': '0' }),
  ).toEqual({
    issues: [
      { message: 'X-Budget-Tokens must be an integer', path: ['budget_tokens'] },
      { message: 'tenant_id must be a UUID', path: ['tenant_id'] },
      { message: 'timeouts_ms must be an integer above 0', path: ['timeouts_ms'] },
      { message: 'exactly one of run_id and ingestion_run_id must be set', path: ['run_id'] },
    ],
  });
});

test('a tenant may be asked for', () => {
  expect(read({}, {}, 'required')).toEqual({ issues: [{ message: 'X-Tenant-ID is required', path: ['tenant_id'] }] });
});

test.each([tenant, tenant.toUpperCase(), `{${tenant}}`, `urn:uuid:${tenant}`, tenant.replaceAll('-', '')])('%s is a UUID', (text) => {
  expect(toUuid(text)).toBe(tenant);
});

test.each(['acme', `{${tenant}`, `${tenant}0`, 5, null])('%s is none', (value) => {
  expect(toUuid(value)).toBeUndefined();
});
