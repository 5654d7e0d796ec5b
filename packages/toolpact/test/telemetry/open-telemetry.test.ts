import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { checkConventions } from './check-conventions.ts';
import type { Results } from './run-scenarios.ts';
import { scenarios } from './scenarios.ts';
import { cells, runScript, spawnScenarios } from './spawn-scenarios.ts';

const secret = 'sk-live-abcdefghijklmnop1234';
const optIn = /^capture|^huge result captured|with its name$/;

describe.each(cells)('on SDK $line with $api', (cell) => {
  let results: Results;
  beforeAll(async () => {
    results = await spawnScenarios(cell);
  });
  const spanOf = (name: string) =>
    results[name]?.spans.find((span) => span.scope.name === 'toolpact' && span.name.startsWith('execute_tool'));
  const notesOf = <TNotes>(name: string) => results[name]?.notes as TNotes;

  test.each(Object.keys(scenarios))('"%s" emits what the conventions ask for and nothing they do not know', (name) => {
    const emitted = results[name];
    if (emitted === undefined) expect.unreachable();
    expect(checkConventions(emitted, { optIn: optIn.test(name) })).toEqual([]);
  });

  test.each<[string, 'ok' | 'error', string | undefined, string | undefined, string]>([
    ['success', 'ok', undefined, undefined, 'ok'],
    ['http error', 'error', '503', 'HttpError', 'error'],
    ['value error', 'error', 'ValueError', 'ValueError', 'error'],
    ['typed error 500', 'error', '500', 'TypedError', 'error'],
    ['typed error timeout', 'error', 'timeout', 'TypedError', 'error'],
    ['returned error', 'error', '503', 'HttpError', 'error'],
    ['returned fail', 'error', 'not_found', undefined, 'error'],
    ['thrown fail', 'error', 'not_found', undefined, 'error'],
    ['fail with cause', 'error', 'upstream', 'ValueError', 'error'],
    ['declared code', 'error', 'insufficient_funds', undefined, 'error'],
    ['system code', 'error', 'ECONNREFUSED', 'Error', 'error'],
    ['text', 'error', '_OTHER', 'string', 'error'],
    ['hostile proxy', 'error', '_OTHER', 'Error', 'error'],
    ['wrong', 'error', 'invalid_result', undefined, 'error'],
    ['bigint', 'ok', undefined, undefined, 'ok'],
    ['hang', 'error', 'timeout', undefined, 'error'],
    ['partial', 'ok', undefined, undefined, 'partial'],
    ['pending', 'ok', undefined, undefined, 'pending'],
    ['denied', 'ok', undefined, undefined, 'denied'],
    ['cancelled', 'ok', undefined, undefined, 'cancelled'],
    ['invalid arguments', 'error', 'invalid_arguments', undefined, 'error'],
    ['arguments cut off', 'error', 'arguments_truncated', undefined, 'error'],
    ['unknown tool', 'error', 'tool_not_found', undefined, 'error'],
    ['retried', 'ok', undefined, undefined, 'ok'],
    ['retried in vain', 'error', '503', 'HttpError', 'error'],
    ['types of the application', 'error', 'own.upstream', 'HttpError', 'error'],
  ])('"%s" ends as %s with error.type %s and exception %s', (name, status, type, exception, outcome) => {
    const span = spanOf(name);
    expect(span?.status.code).toBe(status === 'ok' ? 0 : 2);
    expect(span?.attributes['error.type']).toBe(type);
    expect(span?.attributes['toolpact.outcome']).toBe(outcome);
    expect(results[name]?.logs.map(({ attributes }) => attributes['exception.type'])).toEqual(exception === undefined ? [] : [exception]);
    expect(results[name]?.logs.map(({ attributes }) => attributes['error.type'])).toEqual(exception === undefined ? [] : [type]);
  });

  test('writes all it knows at the start, and who called whom', () => {
    const known = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'forecast',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Returns the weather.',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.agent.name': 'Weather Agent',
      'gen_ai.conversation.id': 'conv_1',
      'toolpact.invocation.id': expect.any(String),
    };
    expect(spanOf('success')?.atStart).toEqual(known);
    expect(spanOf('success')?.scope.version).toBe(packageJson.version);
    expect(results.success?.points[0]?.attributes).toEqual({
      'gen_ai.tool.name': 'forecast',
      'gen_ai.tool.type': 'function',
      'gen_ai.agent.name': 'Weather Agent',
    });
  });

  test('gives the outcome the trace id of its span', () => {
    expect(notesOf<{ meta: { traceId: string } }>('success').meta.traceId).toBe(spanOf('success')?.traceId);
  });

  test('uses an SDK that was registered after the toolbox was made and used: span, metric and log', () => {
    const { spans, points, logs } = results['registered late'] ?? expect.unreachable();
    expect([spans.length, points.length, logs.length]).toEqual([1, 1, 1]);
  });

  test('records the real status of the upstream next to error.type', () => {
    expect(spanOf('http error')?.attributes['http.response.status_code']).toBe(503);
    expect(spanOf('invalid arguments')?.attributes['http.response.status_code']).toBeUndefined();
  });

  test('keeps a made-up tool name out of names and labels', () => {
    expect(spanOf('unknown tool')?.name).toBe('execute_tool _OTHER');
    expect(JSON.stringify(results['unknown tool']?.spans[0]?.attributes)).not.toContain('drop_all_tables');
  });

  test('lets no secret out: not in a status, an event, a log record or captured content', () => {
    for (const name of ['secret', 'capture on span', 'capture on event']) {
      const { spans, points, logs } = results[name] ?? expect.unreachable();
      expect(JSON.stringify({ spans, points, logs })).not.toContain(secret);
    }
    expect(results.secret?.spans[0]?.events.map(({ name }) => name)).toEqual(['exception']);
    expect(results.secret?.logs[0]?.attributes['exception.stacktrace']).toContain('scenarios.ts');
  });

  test('writes content only on request: as JSON of an object, redacted, on the span', () => {
    expect(spanOf('http error')?.attributes['gen_ai.tool.call.arguments']).toBeUndefined();
    expect(JSON.parse(String(spanOf('capture on span')?.attributes['gen_ai.tool.call.arguments']))).toEqual({
      how: 'list',
      password: '[redacted]',
    });
    expect(JSON.parse(String(spanOf('capture on span')?.attributes['gen_ai.tool.call.result']))).toEqual({
      celsius: 21,
      token: '[redacted]',
    });
    expect(spanOf('capture of a list')?.attributes['gen_ai.tool.call.result']).toBe('{"result":[1,2]}');
    expect(spanOf('capture of a failure')?.attributes['gen_ai.tool.call.result']).toBeUndefined();
    expect(spanOf('capture with a redaction of its own')?.attributes['gen_ai.tool.call.arguments']).toBe('{"what":"arguments"}');
    expect(spanOf('capture with a broken redaction')?.attributes['gen_ai.tool.call.arguments']).toBe('{}');
  });

  test('writes content on a log record of its own, structured', () => {
    expect(results['capture on event']?.logs[0]?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': { how: 'list', password: '[redacted]' },
      'gen_ai.tool.call.result': { celsius: 21, token: '[redacted]' },
    });
    expect(spanOf('capture on event')?.attributes['gen_ai.tool.call.arguments']).toBeUndefined();
  });

  test('writes only attributes that every SDK keeps', () => {
    expect(notesOf<string[]>('diagnostics').filter((note) => note.includes('Invalid attribute'))).toEqual([]);
  });

  test('never copies ten megabytes into a signal', () => {
    for (const name of ['huge result', 'huge result captured']) {
      const { spans, points, logs } = results[name] ?? expect.unreachable();
      expect(JSON.stringify({ spans, points, logs }).length).toBeLessThan(30_000);
    }
  });

  test('bounds the values of error.type for each tool', () => {
    const types = results['many codes']?.points.map(({ attributes }) => attributes['error.type']) ?? [];
    expect(types).toHaveLength(65);
    expect(types).toContain('_OTHER');
  });

  test('makes one span of all attempts, and attempts its children only on request', () => {
    expect(results.retried?.spans.map(({ name }) => name)).toEqual(['execute_tool forecast']);
    expect(spanOf('retried')?.attributes['toolpact.attempts']).toBe(2);
    const { spans } = results['retried in vain'] ?? expect.unreachable();
    expect(spans.map(({ name, attributes }) => [name, attributes['toolpact.attempt.number']])).toEqual([
      ['toolpact.attempt', 1],
      ['toolpact.attempt', 2],
      ['execute_tool forecast', undefined],
    ]);
    expect(spans[0]?.parentSpanId).toBe(spans[2]?.spanId);
  });

  test('runs the handler inside the span', () => {
    const [child, parent] = results['child span']?.spans ?? [];
    expect(child?.name).toBe('db query');
    expect([child?.parentSpanId, child?.traceId]).toEqual([parent?.spanId, parent?.traceId]);
  });

  test('continues a trace from HTTP headers and links the span that was active', () => {
    const span = spanOf('trace from headers');
    expect([span?.traceId, span?.parentSpanId]).toEqual(['a'.repeat(32), 'b'.repeat(16)]);
    expect(span?.links.map(({ spanId }) => spanId)).toEqual([notesOf<{ http: string }>('trace from headers').http]);
  });

  test('continues a trace from the _meta of MCP and hands it on, unprefixed, next to what is there', () => {
    const span = spanOf('trace from and into MCP');
    expect(span?.parentSpanId).toBe('b'.repeat(16));
    expect(results['trace from and into MCP']?.notes).toEqual({
      progressToken: 7,
      traceparent: `00-${'a'.repeat(32)}-${span?.spanId}-01`,
    });
    expect(spanOf('no trace in the carrier')?.parentSpanId).toBeUndefined();
  });

  test('logs an exception as an error only where it is the outermost to see it', () => {
    expect(results['value error']?.logs[0]?.severityNumber).toBe(13);
    expect(results['server side']?.logs[0]?.severityNumber).toBe(17);
  });

  test('carries what the application adds at the start and at the end of a call', () => {
    expect(spanOf('enriched by outcome')?.attributes).toMatchObject({ 'app.phase': 'ok', 'app.begun': true, 'app.ok': true });
  });

  test('survives a broken enricher', () => {
    expect(spanOf('broken enricher')?.attributes['toolpact.outcome']).toBe('ok');
  });
});

test('a library that resolves a newer API than the application sees no SDK, unless it is given the copy the application uses', async () => {
  const counts = JSON.parse(await runScript('mixed-api.ts', [], {})) as Record<string, number>;
  expect(counts).toEqual({ 'library 1.10, application 1.9': 0, 'library 1.10, given the application’s 1.9': 1 });
});
