import { context, metrics, propagation, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { fail } from '../outcome/index.ts';
import type { TracedCall } from '../ports/index.ts';
import { defineTool } from '../runtime/index.ts';
import { createToolbox } from '../toolbox/index.ts';
import { scope } from './conventions.ts';
import { openTelemetry } from './open-telemetry.ts';
import { continueTrace, propagateTrace } from './trace-context.ts';

class ValueError extends Error {}

afterEach(() => trace.disable());

test('the scope has the version of the package', () => {
  expect(scope.version).toBe(packageJson.version);
});

test.each([[[() => ({})]], [{ start: () => ({}) }]])('what enriches spans is one function, not %j', (enrich) => {
  expect(() => openTelemetry({ enrich: enrich as never })).toThrow('openTelemetry: enrich must be a function');
});

test('flush has every provider send what it keeps, and neither one that fails nor one that cannot is heard of', async () => {
  const sent: string[] = [];
  const spans = { getTracer: () => undefined, forceFlush: () => Promise.reject(new Error('no collector')) };
  const points = { getMeter: () => undefined, forceFlush: async () => sent.push('points') };
  trace.setGlobalTracerProvider(spans as never);
  metrics.setGlobalMeterProvider(points as never);
  await openTelemetry().flush();
  metrics.disable();
  trace.disable();
  await openTelemetry().flush();
  expect(sent).toEqual(['points']);
});

test('callers that name a new agent with every call do not make new series of the metric without end', async () => {
  const record = vi.fn();
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram: () => ({ record }) }) } as never);
  const ping = defineTool({ name: 'ping', description: 'Answers.', effects: 'none', run: () => 'pong' });
  const toolbox = createToolbox([ping], { telemetry: openTelemetry() });
  for (let count = 0; count < 300; count += 1) await toolbox.call('ping', {}, { agentName: `worker ${count}` });
  metrics.disable();
  const agents = record.mock.calls.map(([, attributes]) => (attributes as Record<string, unknown>)['gen_ai.agent.name']);
  expect(new Set(agents).size).toBe(257);
  expect(agents.at(-1)).toBe('_OTHER');
});

describe('without an SDK', () => {
  test('nothing is started, and nothing of the call is looked at', () => {
    const call = new Proxy({} as TracedCall, {
      get: () => {
        throw new Error('looked at');
      },
    });
    expect(openTelemetry().start(call)).toBeUndefined();
  });

  test('traces neither come in nor go out', () => {
    expect(continueTrace({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, () => 7)).toBe(7);
    expect(propagateTrace({ kept: 1 })).toEqual({ kept: 1 });
  });

  test('a propagator that fails, or a carrier of anything but texts, breaks nothing', () => {
    const carriers: unknown[] = [];
    propagation.setGlobalPropagator({
      extract: (_context, carrier) => {
        carriers.push(carrier);
        throw new Error('extract');
      },
      inject: () => {
        throw new Error('inject');
      },
      fields: () => [],
    });
    expect([continueTrace({ Baggage: 'a=b', progressToken: 7 }, () => 1), continueTrace(null, () => 2)]).toEqual([1, 2]);
    expect(propagateTrace({ kept: 1 })).toEqual({ kept: 1 });
    expect(carriers).toEqual([{ baggage: 'a=b' }, {}]);
    propagation.disable();
  });
});

describe('on a mock span', () => {
  const span = {
    setAttribute: vi.fn(),
    setAttributes: vi.fn(),
    setStatus: vi.fn(),
    recordException: vi.fn(),
    end: vi.fn(),
    isRecording: vi.fn(() => true),
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  };
  const started: [string, SpanOptions | undefined][] = [];
  beforeEach(() => {
    vi.clearAllMocks();
    started.length = 0;
    const startSpan = (name: string, options?: SpanOptions) => {
      started.push([name, options]);
      return span as unknown as Span;
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: (() => undefined) as never }) });
  });

  const run = (thrown: unknown, returned = false) => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      run: () => {
        if (returned) return thrown;
        throw thrown;
      },
    });
    return createToolbox([tool], { telemetry: openTelemetry(), report: () => {} }).call('act', {});
  };

  test.each([
    ['an explicit 500', fail('upstream', 'broken', { errorType: '500' }), '500'],
    ['an explicit timeout', fail('timeout', 'slow', { errorType: 'timeout' }), 'timeout'],
    ['a plain exception', new ValueError('bad value'), 'ValueError'],
  ])('%s, thrown or returned, sets error.type', async (_, thrown, type) => {
    for (const returned of [false, true]) {
      vi.clearAllMocks();
      await run(thrown, returned);
      expect(span.setAttribute.mock.calls).toEqual([['error.type', type]]);
      expect(span.setStatus.mock.calls[0]?.[0]).toMatchObject({ code: 2 });
      expect(span.end).toHaveBeenCalledOnce();
      expect(span.recordException).not.toHaveBeenCalled();
    }
  });

  test('success sets neither a status nor an error.type', async () => {
    await run(1, true);
    expect(started.map(([name]) => name)).toEqual(['execute_tool act']);
    expect([span.setAttribute.mock.calls, span.setStatus.mock.calls]).toEqual([[], []]);
  });

  test('the trace id of a suppressed span, all zeros, is not taken', async () => {
    const none = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 };
    vi.spyOn(span, 'spanContext').mockReturnValueOnce(none);
    expect((await run(1, true)).meta.traceId).not.toBe(none.traceId);
  });

  test('names and ids that callers send are cut', async () => {
    const tool = defineTool({ name: 'act', description: 'Acts.', run: () => 1 });
    const long = 'x'.repeat(1000);
    const toolbox = createToolbox([tool], { telemetry: openTelemetry() });
    await toolbox.call('act', {}, { callId: long, conversationId: long, agentName: long });
    const lengths = Object.values(started[0]?.[1]?.attributes ?? {}).map((value) => String(value).length);
    expect(Math.max(...lengths)).toBe(256);
  });

  test('a span processor that fails does not take the measurement with it', async () => {
    const record = vi.fn();
    const meter = { createHistogram: () => ({ record }) };
    metrics.setGlobalMeterProvider({ getMeter: () => meter as never });
    span.end.mockImplementationOnce(() => {
      throw new Error('processor');
    });
    expect((await run(1, true)).status).toBe('ok');
    expect(record).toHaveBeenCalledOnce();
    metrics.disable();
  });

  test('a span that is not sampled is ended and not written to', async () => {
    span.isRecording.mockReturnValueOnce(false);
    await run(new ValueError('bad value'));
    expect([span.setAttribute.mock.calls, span.setAttributes.mock.calls, span.end.mock.calls.length]).toEqual([[], [], 1]);
    expect(context.active().getValue(Symbol.for('nothing'))).toBeUndefined();
  });
});
