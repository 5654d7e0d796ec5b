import {
  contextFromHeaders,
  createContext,
  createIngestionRunId,
  type ToolContext,
  toCallContext,
  toolContextSchema,
} from '@toolpact/origins/status';
import { defineTool, ok, type RunContext } from 'toolpact';
import { budget } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { quietBox } from '../../test/start-box.ts';

/** The example of the document, literally. */
const example = {
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
const { run_id, ...withoutRun } = example;
const { validate } = toolContextSchema['~standard'];
const isValid = (context: object) => validate(context).issues === undefined;

/** Returns the context as a tool sees it. */
async function seen(context: object): Promise<RunContext> {
  let found: RunContext | undefined;
  const look = defineTool({
    name: 'look',
    description: 'x',
    effects: 'none',
    run(_, ctx) {
      found = ctx;
      return null;
    },
  });
  const result = validate(context);
  if (result.issues !== undefined) throw new Error(JSON.stringify(result.issues));
  await quietBox([look]).call('look', {}, toCallContext(result.value));
  return found as RunContext;
}

describe('004 ToolContext', () => {
  test('004-01 a context is frozen, its credentials too', () => {
    const context = createContext({ ...example, auth: { token: 'abc' } });
    expect(Object.isFrozen(context)).toBe(true);
    expect(Object.isFrozen(context.auth)).toBe(true);
    expectTypeOf<ToolContext>().toEqualTypeOf<Readonly<ToolContext>>();
  });

  test('004-02 `tenant_id` is required and a UUID', () => {
    expect(isValid({ ...example, tenant_id: undefined })).toBe(false);
    expect(isValid({ ...example, tenant_id: 'acme' })).toBe(false);
  });

  test('004-03 `trace_id` is required, and read from each documented place', () => {
    expect(isValid({ ...example, trace_id: undefined })).toBe(false);
    const tenant = { 'X-Tenant-ID': example.tenant_id };
    const hex = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${hex}-00f067aa0ba902b7-01`;
    const places: readonly (readonly [headers: Record<string, string>, more: object, trace: string])[] = [
      [{ 'X-Trace-Id': 'a', 'X-Request-ID': 'b', traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'a'],
      [{ 'X-Request-ID': 'b', traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'b'],
      [{ traceparent }, { query: { trace_id: 'c' }, body: { trace_id: 'd' } }, 'c'],
      [{ traceparent }, { body: { trace_id: 'd' } }, 'd'],
      [{ traceparent }, {}, hex],
    ];
    for (const [headers, more, trace_id] of places)
      expect(contextFromHeaders({ ...tenant, ...headers }, more)).toMatchObject({ value: { trace_id } });
  });

  test('004-04 `invocation_id` is required and a UUID', () => {
    expect(isValid({ ...example, invocation_id: undefined })).toBe(false);
    expect(isValid({ ...example, invocation_id: 'first' })).toBe(false);
  });

  test('004-04 every call of a toolbox that is bound to a context has an invocation of its own', async () => {
    const ping = defineTool({ name: 'ping', description: 'x', effects: 'none', run: () => 'pong' });
    const bound = quietBox([ping]).with(toCallContext(createContext(example)));
    const metas = [(await bound.call('ping', {})).meta, (await bound.answer({ name: 'ping' })).meta];
    expect(new Set(metas.map(({ invocationId }) => invocationId)).size).toBe(2);
    expect(metas.map(({ runId, traceId }) => [runId, traceId])).toEqual(Array(2).fill([run_id, example.trace_id]));
  });

  test('004-05 `now_iso` has a time zone and is converted to UTC', () => {
    expect(isValid({ ...example, now_iso: '2024-05-03T12:34:56.123456' })).toBe(false);
    expect(validate({ ...example, now_iso: '2024-05-03T14:34:56.123456+02:00' })).toEqual({ value: example });
  });

  test('004-05 a tool reads it as `ctx.now`', async () => {
    const { now } = await seen(example);
    expectTypeOf(now).toEqualTypeOf<string>();
    expect(now).toBe(example.now_iso);
  });

  test('004-06 004-07 004-20 exactly one of `run_id` and `ingestion_run_id` is set', () => {
    expect(isValid(example)).toBe(true);
    expect(isValid({ ...withoutRun, ingestion_run_id: 'ingest_1' })).toBe(true);
    expect(isValid({ ...example, ingestion_run_id: 'ingest_1' })).toBe(false);
    expect(isValid(withoutRun)).toBe(false);
  });

  test('004-06 004-07 a tool and its answer have the run', async () => {
    expect((await seen(example)).runId).toBe(run_id);
    expect((await seen({ ...withoutRun, ingestion_run_id: 'ingest_1' })).ids).toMatchObject({ ingestionRunId: 'ingest_1' });
  });

  test.each([
    ['004-08', 'workflow_id', 'workflowId'],
    ['004-09', 'collection_id', 'collectionId'],
    ['004-10', 'document_id', 'documentId'],
    ['004-11', 'document_version_id', 'documentVersionId'],
    ['004-12', 'case_id', 'caseId'],
  ])('%s `%s` is optional, and a tool reads it', async (_, field, name) => {
    expect(isValid({ ...example, [field]: null })).toBe(true);
    expect((await seen({ ...example, [field]: 'id-1' })).ids?.[name]).toBe('id-1');
  });

  test('004-13 `idempotency_key` deduplicates', async () => {
    let runs = 0;
    const pay = defineTool({ name: 'pay', description: 'x', idempotency: {}, run: () => ++runs });
    const toolbox = quietBox([pay], { store: memoryStore() });
    const context = toCallContext(createContext({ ...example, idempotency_key: 'key-1' }));
    const first = await toolbox.call('pay', {}, context);
    const { invocationId: _, ...again } = context;
    expect(await toolbox.call('pay', {}, again)).toMatchObject({ data: 1, meta: { replayed: true } });
    expect([first.status, runs]).toEqual(['ok', 1]);
  });

  test('004-14 `timeouts_ms` is the whole budget, and above 0', async () => {
    expect(isValid({ ...example, timeouts_ms: 0 })).toBe(false);
    expect(isValid({ ...example, timeouts_ms: -1 })).toBe(false);
    const { remainingMs } = await seen(example);
    expect(remainingMs).toBeGreaterThan(100_000);
    expect(remainingMs).toBeLessThanOrEqual(120_000);
  });

  test('004-15 `budget_tokens` ends a run that spent them', async () => {
    const spend = defineTool({ name: 'spend', description: 'x', effects: 'none', run: () => ok(1, { tokenUsage: { input: 4096 } }) });
    const toolbox = quietBox([spend], { use: [budget()] });
    const context = { tenantId: example.tenant_id, runId: run_id, budgetTokens: toCallContext(createContext(example)).budgetTokens ?? 0 };
    expect(context.budgetTokens).toBe(4096);
    expect(await toolbox.call('spend', {}, context)).toMatchObject({ status: 'ok' });
    expect(await toolbox.call('spend', {}, context)).toMatchObject({ error: { kind: 'budget_exhausted' } });
  });

  test('004-16 `locale` and `safety_mode` reach the tool', async () => {
    expect(await seen({ ...example, safety_mode: 'strict' })).toMatchObject({ locale: 'de-DE', safetyMode: 'strict' });
  });

  test('004-17 `auth` reaches the tool and no answer', async () => {
    const auth = { token: 'token-that-stays-inside' };
    expect((await seen({ ...example, auth })).auth).toEqual(auth);
    const echo = defineTool({ name: 'echo', description: 'x', effects: 'none', run: (_, ctx) => ({ has: ctx.auth !== undefined }) });
    const outcome = await quietBox([echo]).call('echo', {}, toCallContext(createContext({ ...example, auth })));
    expect(JSON.stringify(outcome)).not.toContain('token-that-stays-inside');
    expect(outcome).toMatchObject({ data: { has: true } });
  });

  test('004-19 the example validates and comes back equal', () => {
    expect(validate(example)).toEqual({ value: example });
  });

  test('004-21 runs without a name are `run_…`, and `ingest_…` for uploads', () => {
    const { run_id: _, ...rest } = example;
    expect(createContext(rest).run_id).toMatch(/^run_./);
    expect(createContext({ ...rest, ingestion_run_id: createIngestionRunId() }).ingestion_run_id).toMatch(/^ingest_./);
  });
});
