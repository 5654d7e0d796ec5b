import { context, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ToolErrorType, ToolExecutionError } from '../../core/outcome/index.ts';
import { createToolbox, defineTool, type TracedCall } from '../../core/runtime/index.ts';
import { scope } from './conventions.ts';
import { openTelemetry } from './open-telemetry.ts';
import { continueTrace, propagateTrace } from './trace-context.ts';

class ValueError extends Error {}

afterEach(() => trace.disable());

test('the scope has the version of the package', () => {
  expect(scope.version).toBe(packageJson.version);
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
    ['an explicit 500', new ToolExecutionError('broken', { errorType: ToolErrorType.INTERNAL_SERVER_ERROR }), '500'],
    ['an explicit timeout', new ToolExecutionError('slow', { errorType: ToolErrorType.TIMEOUT }), 'timeout'],
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

  test('a span that is not sampled is ended and not written to', async () => {
    span.isRecording.mockReturnValueOnce(false);
    await run(new ValueError('bad value'));
    expect([span.setAttribute.mock.calls, span.setAttributes.mock.calls, span.end.mock.calls.length]).toEqual([[], [], 1]);
    expect(context.active().getValue(Symbol.for('nothing'))).toBeUndefined();
  });
});
