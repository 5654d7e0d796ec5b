import fc from 'fast-check';
import { ToolpactError } from 'toolpact';
import { describe, expect, it } from 'vitest';
import { toCallContext, toToolContext } from './convert-context.ts';
import { createContext } from './tool-context.ts';

const text = fc.string({ minLength: 1 });
const run = fc.oneof(fc.record({ runId: text }), fc.record({ ids: fc.record({ ingestionRunId: text }) }));
const call = fc
  .tuple(
    run,
    fc.record({
      tenantId: fc.uuid(),
      traceId: text,
      invocationId: fc.uuid(),
      now: fc
        .tuple(
          fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
          fc.integer({ min: 1, max: 999_999 }),
        )
        .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}+00:00`),
    }),
    fc.record(
      {
        requestId: text,
        idempotencyKey: text,
        timeoutMs: fc.integer({ min: 1 }),
        budgetTokens: fc.integer(),
        locale: text,
        safetyMode: text,
        auth: fc.dictionary(text, fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([runs, fixed, rest]) => ({ ...runs, ...fixed, ...rest }));

describe('toCallContext and toToolContext', () => {
  it('lose nothing either way', () => {
    fc.assert(
      fc.property(call, (context) => {
        const wire = toToolContext(context);
        expect(toCallContext(wire)).toEqual(context);
        expect(toToolContext(toCallContext(wire))).toEqual(wire);
      }),
    );
  });

  it('rename field by field', () => {
    const wire = createContext({
      tenant_id: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc',
      trace_id: 't',
      timeouts_ms: 5,
      run_id: 'r',
      case_id: 'c',
    });
    expect(toCallContext(wire)).toEqual({
      tenantId: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc',
      traceId: 't',
      invocationId: wire.invocation_id,
      now: wire.now_iso,
      runId: 'r',
      ids: { caseId: 'c' },
      timeoutMs: 5,
    });
  });

  it('leave out what a ToolContext has no field for', () => {
    const wire = toToolContext({ userId: 'u', app: {}, signal: AbortSignal.abort(), onProgress: () => {}, timeoutMs: 1.5 });
    expect(Object.keys(wire).sort()).toEqual(['invocation_id', 'now_iso', 'run_id', 'tenant_id', 'timeouts_ms', 'trace_id']);
    expect(wire.timeouts_ms).toBe(2);
    expect(Object.isFrozen(wire)).toBe(true);
  });

  it('throw where a ToolContext has no room for a value', () => {
    expect(() => toToolContext({ tenantId: 'acme' })).toThrow(
      new ToolpactError('invalid_argument', 'invalid tool context: tenant_id must be a UUID'),
    );
    expect(() => toToolContext({ runId: 'a', ids: { ingestionRunId: 'b' } })).toThrow('exactly one of run_id and ingestion_run_id');
  });
});
