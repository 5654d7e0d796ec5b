import { ToolpactError } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import { createRunId } from 'toolpact/internal';
import { describe, expect, it } from 'vitest';
import { createContext, createIngestionRunId, toolContextSchema } from './tool-context.ts';

const { validate, jsonSchema } = toolContextSchema['~standard'];
const documented = {
  tenant_id: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc',
  request_id: '8607a8d9-0f3f-43df-bf86-37e845e1574c',
  trace_id: 'trace-123',
  run_id: 'graph_run_cfe213',
  workflow_id: 'retrieval_augmented_generation',
  invocation_id: '0f4e6712-6d04-4514-b6cb-943b0667d45c',
  now_iso: '2024-05-03T12:34:56.123456+00:00',
  collection_id: 'hr-onboarding',
  case_id: 'crm-7421',
  locale: 'de-DE',
  timeouts_ms: 120000,
  budget_tokens: 4096,
};

describe('toolContextSchema', () => {
  it('reads the documented example and writes it back unchanged', () => {
    expect(validate(documented)).toEqual({ value: documented });
    expect(validate(JSON.parse(JSON.stringify(documented)))).toEqual({ value: documented });
  });

  it('keeps every documented field', () => {
    const { run_id: _, ...rest } = documented;
    const full = {
      ...rest,
      ingestion_run_id: 'ingest_1',
      document_id: 'd',
      document_version_id: 'v2',
      idempotency_key: 'k',
      safety_mode: 'strict',
      auth: { a: 1 },
    };
    expect(validate(full)).toEqual({ value: full });
  });

  it.each<[string, object, string[]]>([
    ['a tenant that is no UUID', { tenant_id: 'acme' }, ['tenant_id must be a UUID']],
    ['a tenant in half a brace', { tenant_id: '{5aa31da6-9278-4da0-9f1a-61b8d3edc5cc' }, ['tenant_id must be a UUID']],
    ['no tenant', { tenant_id: undefined }, ['tenant_id is required']],
    ['an invocation that is no UUID', { invocation_id: 7 }, ['invocation_id must be a UUID']],
    ['no invocation', { invocation_id: null }, ['invocation_id is required']],
    ['an empty trace id', { trace_id: '' }, ['trace_id must be a string that is not empty']],
    ['no trace id', { trace_id: null }, ['trace_id is required']],
    ['no time', { now_iso: null }, ['now_iso is required']],
    ['a time without a zone', { now_iso: '2024-05-03T12:34:56' }, ['now_iso must carry a time zone']],
    ['a date without a time', { now_iso: '2024-05-03' }, ['now_iso must be an ISO 8601 date and time']],
    ['a day that does not exist', { now_iso: '2024-02-30T00:00:00Z' }, ['now_iso must be a date and time that exists']],
    ['an hour that does not exist', { now_iso: '2024-02-01T24:00:00Z' }, ['now_iso must be a date and time that exists']],
    ['a zone that does not exist', { now_iso: '2024-02-01T00:00:00+24:00' }, ['now_iso must be a date and time that exists']],
    ['a time before the first year', { now_iso: '0001-01-01T00:00:00+01:00' }, ['now_iso must be a date and time that exists']],
    ['an invalid date', { now_iso: new Date(Number.NaN) }, ['now_iso must be an ISO 8601 date and time']],
    ['both runs', { ingestion_run_id: 'ingest_1' }, ['exactly one of run_id and ingestion_run_id must be set']],
    ['no run', { run_id: null }, ['exactly one of run_id and ingestion_run_id must be set']],
    ['an empty run id', { run_id: '' }, ['run_id must be a string that is not empty']],
    ['a run id that is no string', { run_id: 5 }, ['run_id must be a string that is not empty']],
    ['a timeout of zero', { timeouts_ms: 0 }, ['timeouts_ms must be an integer above 0']],
    ['a fractional timeout', { timeouts_ms: 1.5 }, ['timeouts_ms must be an integer above 0']],
    ['a timeout as text', { timeouts_ms: '5' }, ['timeouts_ms must be an integer above 0']],
    ['a fractional budget', { budget_tokens: 1.5 }, ['budget_tokens must be an integer']],
    ['a locale that is no string', { locale: 1 }, ['locale must be a string']],
    ['auth as a list', { auth: [] }, ['auth must be an object']],
    ['several mistakes at once', { tenant_id: 'a', locale: 1 }, ['tenant_id must be a UUID', 'locale must be a string']],
  ])('refuses %s', (_, change, messages) => {
    const { issues } = validate({ ...documented, ...change });
    expect(issues?.map(({ message }) => message)).toEqual(messages);
  });

  it.each([
    ['workflow_id'],
    ['collection_id'],
    ['document_id'],
    ['document_version_id'],
    ['case_id'],
    ['idempotency_key'],
    ['safety_mode'],
    ['request_id'],
  ])('refuses %s when it is no string', (field) => {
    expect(validate({ ...documented, [field]: 1 })).toEqual({ issues: [{ message: `${field} must be a string`, path: [field] }] });
  });

  it.each([[null], [undefined], ['text'], [[]], [5]])('refuses %j as a whole', (given) => {
    expect(validate(given)).toEqual({ issues: [{ message: 'the context must be an object' }] });
  });

  it('refuses what cannot be read', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('read');
        },
      },
    );
    expect(validate(hostile)).toEqual({ issues: [{ message: 'the context cannot be read' }] });
  });

  it.each([
    ['2024-05-03T14:34:56.123456+02:00', '2024-05-03T12:34:56.123456+00:00'],
    ['2024-05-03T12:34:56Z', '2024-05-03T12:34:56+00:00'],
    ['2024-05-03 12:34Z', '2024-05-03T12:34:00+00:00'],
    ['2024-05-03t12:34:56.1z', '2024-05-03T12:34:56.100000+00:00'],
    ['2024-05-03T12:34:56.000000+00:00', '2024-05-03T12:34:56+00:00'],
    ['2024-05-03T12:34:56.123456789Z', '2024-05-03T12:34:56.123456+00:00'],
    ['2024-12-31T23:30:00-0130', '2025-01-01T01:00:00+00:00'],
    ['2024-05-03T12:34:56+05', '2024-05-03T07:34:56+00:00'],
    [new Date('2024-05-03T12:34:56.120Z'), '2024-05-03T12:34:56.120000+00:00'],
  ])('reads the time %s as %s', (now_iso, utc) => {
    expect(validate({ ...documented, now_iso })).toMatchObject({ value: { now_iso: utc } });
    expect(validate({ ...documented, now_iso: utc })).toMatchObject({ value: { now_iso: utc } });
  });

  it.each([
    '5AA31DA6-9278-4DA0-9F1A-61B8D3EDC5CC',
    '5aa31da692784da09f1a61b8d3edc5cc',
    '{5aa31da6-9278-4da0-9f1a-61b8d3edc5cc}',
    'urn:uuid:5aa31da6-9278-4da0-9f1a-61b8d3edc5cc',
  ])('reads the UUID %s', (tenant_id) => {
    expect(validate({ ...documented, tenant_id })).toEqual({ value: documented });
  });

  it('ignores unknown keys and takes null for absent', () => {
    expect(validate({ ...documented, tenant_schema: 'x', ingestion_run_id: null, auth: null, safety_mode: null })).toEqual({
      value: documented,
    });
  });

  it('freezes the context and its auth to the bottom, but not what the caller holds', () => {
    class Provider {
      token = 'a';
    }
    const provider = new Provider();
    const auth: Record<string, unknown> = { deep: { list: [{ a: 1 }] }, provider };
    auth.self = auth;
    const result = validate({ ...documented, auth });
    const context = result.issues === undefined ? result.value : undefined;
    const copy = context?.auth as { deep: { list: object[] }; provider: Provider; self: unknown };
    expect([context, copy, copy.deep, copy.deep.list, copy.deep.list[0]].map(Object.isFrozen)).toEqual([true, true, true, true, true]);
    expect(copy.self).toBe(copy);
    expect(copy.provider).toBe(provider);
    expect([auth, auth.deep, provider].map(Object.isFrozen)).toEqual([false, false, false]);
  });

  it('gives a JSON Schema with the documented example', () => {
    const input = jsonSchema.input({ target: 'draft-2020-12' });
    expect(input.examples).toEqual([documented]);
    expect(input.required).toEqual(['tenant_id', 'trace_id', 'invocation_id', 'now_iso']);
    expect(input.oneOf).toEqual([
      { required: ['run_id'], properties: { run_id: { type: 'string' } } },
      { required: ['ingestion_run_id'], properties: { ingestion_run_id: { type: 'string' } } },
    ]);
    expect(Object.keys(input.properties as object)).toHaveLength(18);
    expect(input.properties).toMatchObject({
      tenant_id: { type: 'string', format: 'uuid' },
      timeouts_ms: { type: ['integer', 'null'], minimum: 1 },
      auth: { type: ['object', 'null'] },
    });
    expect(jsonSchema.output({ target: 'draft-07' }).properties).toMatchObject({ timeouts_ms: { type: 'integer', minimum: 1 } });
    expect(jsonSchema.input({ target: 'openapi-3.0' })).toMatchObject({
      example: documented,
      properties: { locale: { type: 'string', nullable: true } },
    });
  });
});

describe('createContext', () => {
  it('fills what is missing', () => {
    expect(createContext()).toEqual({
      tenant_id: noTenant,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      invocation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      now_iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?\+00:00$/),
      run_id: expect.stringMatching(/^run_[0-9a-f]{32}$/),
    });
  });

  it('keeps what is given', () => {
    expect(createContext(documented)).toEqual(documented);
    expect(createContext({ ingestion_run_id: 'ingest_1', run_id: null })).not.toHaveProperty('run_id');
  });

  it('throws everything that is wrong at once', () => {
    expect(() => createContext({ tenant_id: 'acme', timeouts_ms: -1 })).toThrow(
      new ToolpactError('invalid_argument', 'invalid tool context: tenant_id must be a UUID; timeouts_ms must be an integer above 0'),
    );
  });
});

describe('run ids', () => {
  it('say what kind of run it is and differ each time', () => {
    expect(createRunId()).toMatch(/^run_[0-9a-f]{32}$/);
    expect(createIngestionRunId()).toMatch(/^ingest_[0-9a-f]{32}$/);
    expect(createRunId()).not.toBe(createRunId());
  });
});
