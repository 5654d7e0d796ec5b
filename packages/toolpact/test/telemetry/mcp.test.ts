import { beforeAll, describe, expect, test } from 'vitest';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { checkConventions } from './check-conventions.ts';
import { httpWays, mcpScenarios, secret } from './mcp-scenarios.ts';
import type { Results } from './run-scenarios.ts';
import { cells, spawnScenarios } from './spawn-scenarios.ts';

describe.each(cells)('on SDK $line with $api', (cell) => {
  let results: Results;
  beforeAll(async () => {
    results = await spawnScenarios(cell);
  });
  const of = (name: string) => results[name] ?? expect.unreachable();
  /** The spans of ours, without those that open a session. */
  const spansOf = (name: string) =>
    of(name).spans.filter((span) => span.scope.name === 'toolpact' && !/^(initialize|notifications\/initialized)$/.test(span.name));

  test.each(Object.keys(mcpScenarios))('"%s" emits what the conventions ask for and nothing they do not know', (name) => {
    const emitted = of(name);
    expect(emitted.spans.length).toBeGreaterThan(0);
    expect(checkConventions(emitted, { optIn: name.endsWith('captured') })).toEqual([]);
  });

  describe.each(httpWays)('%s', (way) => {
    const isModern = way.endsWith('2026-07-28');
    const isSession = way.startsWith('session');

    test('a call is one SERVER span that has the facts of the request and of the call', () => {
      const [span, ...others] = spansOf(`mcp ${way}: ok`);
      expect(others).toEqual([]);
      expect([span?.name, span?.kind, span?.status.code]).toEqual(['tools/call any:end', 1, 0]);
      expect(span?.attributes).toEqual({
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': isModern ? '2026-07-28' : '2025-11-25',
        'jsonrpc.request.id': isSession ? 'r3' : 'r1',
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'any:end',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.description': 'Ends in any way.',
        'toolpact.invocation.id': expect.any(String),
        'toolpact.outcome': 'ok',
        'toolpact.attempts': 1,
        ...(isSession && { 'mcp.session.id': (of(`mcp ${way}: ok`).notes as { session: string }).session }),
      });
    });

    test('a call is measured as a request, and as the execution of a tool', () => {
      const points = of(`mcp ${way}: throw`).points.filter(({ attributes }) => 'gen_ai.tool.name' in attributes);
      expect(points.map(({ name, attributes }) => [name, attributes])).toEqual([
        ['gen_ai.execute_tool.duration', { 'gen_ai.tool.name': 'any:end', 'gen_ai.tool.type': 'function', 'error.type': 'RangeError' }],
        [
          'mcp.server.operation.duration',
          {
            'mcp.method.name': 'tools/call',
            'mcp.protocol.version': isModern ? '2026-07-28' : '2025-11-25',
            'network.transport': 'tcp',
            'network.protocol.name': 'http',
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'any:end',
            'error.type': 'tool_error',
          },
        ],
      ]);
    });

    test.each([
      ['ok', 'any:end', undefined, undefined, 'ok'],
      ['throw', 'any:end', 'tool_error', 'RangeError', 'error'],
      ['typed', 'any:end', 'tool_error', '500', 'error'],
      ['fail', 'any:end', 'tool_error', 'not_found', 'error'],
      ['wrong arguments', 'any:end', 'tool_error', 'invalid_arguments', 'error'],
      ['a made-up tool', '_OTHER', 'tool_error', 'tool_not_found', 'error'],
      ['pending', 'careful', undefined, undefined, 'pending'],
      ['deferred', 'slow', undefined, undefined, 'pending'],
    ])('"%s" is a call of %s with error.type %s, more exactly %s', (name, tool, type, exactly, outcome) => {
      const [span] = spansOf(`mcp ${way}: ${name}`);
      expect(span?.name).toBe(`tools/call ${tool}`);
      expect(span?.status.code).toBe(type === undefined ? 0 : 2);
      expect([span?.attributes['error.type'], span?.attributes['toolpact.error.type']]).toEqual([type, exactly]);
      expect(span?.attributes['toolpact.outcome']).toBe(outcome);
    });

    test('an exception is logged as an error that belongs to the span, without secrets', () => {
      const { logs, spans, points } = of(`mcp ${way}: throw`);
      expect(logs.map(({ severityNumber, spanId }) => [severityNumber, spanId])).toEqual([[17, spansOf(`mcp ${way}: throw`)[0]?.spanId]]);
      expect(logs[0]?.attributes['error.type']).toBe('RangeError');
      expect(JSON.stringify({ logs, spans, points })).not.toContain(secret);
    });

    test('what a tool calls and starts are children of its span', () => {
      const [called, outer] = spansOf(`mcp ${way}: nest`);
      expect([called?.name, called?.parentSpanId]).toEqual(['execute_tool inner', outer?.spanId]);
      const { spans } = of(`mcp ${way}: child`);
      const [query] = spans.filter(({ name }) => name === 'db query');
      expect(query?.parentSpanId).toBe(spansOf(`mcp ${way}: child`)[0]?.spanId);
    });

    test('the trace of the client goes on, and the span of the HTTP server is linked', () => {
      const [span] = spansOf(`mcp ${way}: trace from _meta`);
      expect([span?.traceId, span?.parentSpanId, span?.links]).toEqual(['a'.repeat(32), 'b'.repeat(16), []]);
      const [inner, linked] = spansOf(`mcp ${way}: trace from headers`);
      expect([inner?.name, inner?.parentSpanId, inner?.links]).toEqual(['execute_tool inner', linked?.spanId, []]);
      expect([linked?.parentSpanId, linked?.links.map(({ spanId }) => spanId)]).toEqual([
        'b'.repeat(16),
        [of(`mcp ${way}: trace from headers`).notes],
      ]);
    });

    test('other requests are recorded without anything of a call', () => {
      const [span] = spansOf(`mcp ${way}: list`);
      expect([span?.name, span?.kind]).toEqual(['tools/list', 1]);
      expect(Object.keys(span?.attributes ?? {}).filter((key) => /^(gen_ai|toolpact)\./.test(key))).toEqual([]);
    });

    test('arguments and results are written on request', () => {
      expect(spansOf(`mcp ${way}: captured`)[0]?.attributes).toMatchObject({
        'gen_ai.tool.call.arguments': '{"how":"ok"}',
        'gen_ai.tool.call.result': '{"n":1}',
      });
    });
  });

  test.each([
    ['legacy', '2025-06-18', ['initialize', 'notifications/initialized', 'tools/call any:end', 'tools/call any:end', 'tools/list']],
    ['modern', '2026-07-28', ['tools/call any:end', 'tools/call any:end', 'tools/list']],
  ])('over stdio, %s, requests are recorded the same', (era, version, names) => {
    const { spans } = of(`mcp stdio: ${era}`);
    expect(spans.map(({ name }) => name).sort()).toEqual(names);
    for (const { attributes } of spans) {
      expect([attributes['network.transport'], attributes['mcp.protocol.version']]).toEqual(['pipe', version]);
      expect(attributes).not.toHaveProperty('network.protocol.name');
    }
    const calls = spans.filter(({ name }) => name.startsWith('tools/call'));
    expect(calls.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, 'tool_error']);
    expect(calls[0]?.parentSpanId).toBe('b'.repeat(16));
  });

  test('an unknown method is no label, and its error is named by its code', () => {
    const [span] = spansOf('mcp: an unknown method');
    expect([span?.name, span?.attributes['error.type'], span?.attributes['rpc.response.status_code']]).toEqual([
      '_OTHER',
      '-32601',
      '-32601',
    ]);
    expect(span?.status).toEqual({ code: 2, message: 'Method not found' });
    expect(spansOf('mcp: discover').map(({ name }) => name)).toEqual(['server/discover']);
  });

  test.each(['mcp: the client leaves', 'mcp: the client cancels'])('%s, and the span of the call says so without an error', (name) => {
    const span = spansOf(name).find((one) => one.name === 'tools/call any:end');
    expect([span?.status.code, span?.attributes['toolpact.outcome']]).toEqual([0, 'cancelled']);
  });

  test('a cancellation is recorded only if the client sent one', () => {
    const cancellations = (name: string) => spansOf(name).filter((span) => span.name === 'notifications/cancelled').length;
    expect([cancellations('mcp: the client leaves'), cancellations('mcp: the client cancels')]).toEqual([0, 1]);
  });

  test('a tool that calls a tool of its own name has two spans', () => {
    const [called, outer] = spansOf('mcp: a tool that calls a tool of its name');
    expect([called?.name, called?.parentSpanId]).toEqual(['execute_tool any:end', outer?.spanId]);
  });

  test('what a tool of configure calls is its child, and has no further links', () => {
    const [called, native] = spansOf('mcp: a tool of configure that calls a tool');
    expect([called?.name, called?.parentSpanId, called?.links]).toEqual(['execute_tool inner', native?.spanId, []]);
    expect([native?.name, native?.links.length]).toEqual(['tools/call native', 1]);
  });

  test('names that only the SDK knows are labels once its answer has proven them', () => {
    expect(spansOf('mcp: what configure adds').map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['tools/call native', undefined],
      ['tools/call broken', 'tool_error'],
      ['tools/call _OTHER', '-32602'],
      ['prompts/get greet', undefined],
      ['prompts/get _OTHER', '-32602'],
      ['resources/read', undefined],
    ]);
    const [, , , greeted, , read] = spansOf('mcp: what configure adds');
    expect(greeted?.attributes['gen_ai.prompt.name']).toBe('greet');
    expect(read?.attributes['mcp.resource.uri']).toBe('file:///notes.txt');
  });
});

test('without an SDK nothing of a request is looked at', () => {
  const operation = new Proxy({} as never, {
    get: () => {
      throw new Error('looked at');
    },
  });
  expect(openTelemetry().startMcp(operation)).toBeUndefined();
});
