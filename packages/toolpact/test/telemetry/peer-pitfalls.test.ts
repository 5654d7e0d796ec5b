import { beforeAll, describe, expect, test } from 'vitest';
import { checkConventions } from './check-conventions.ts';
import type { Results } from './run-scenarios.ts';
import type { Emitted, SpanData } from './sdk.ts';
import { cells, spawnScenarios } from './spawn-scenarios.ts';

/** The span of a failed call as a faultless library would emit it. */
const sound: SpanData = {
  name: 'execute_tool boom',
  kind: 0,
  status: { code: 2, message: 'upstream said no' },
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'boom', 'error.type': '503', 'toolpact.outcome': 'error' },
  atStart: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'boom' },
  events: [],
  links: [],
  seconds: 1,
  traceId: 't',
  spanId: 's',
  scope: { name: 'toolpact', version: '1', schemaUrl: 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev' },
};
const measured = (attributes: Readonly<Record<string, unknown>>): Emitted['points'] => [
  {
    name: 'gen_ai.execute_tool.duration',
    unit: 's',
    type: 'histogram',
    attributes,
    count: 1,
    sum: 1,
    boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
];
const points = measured({ 'gen_ai.tool.name': 'boom', 'error.type': '503' });
const { 'error.type': _, ...typeless } = sound.attributes;
const { 'error.type': __, ...typelessPoint } = points[0]?.attributes ?? {};

type Pick = (results: Results) => unknown;
const span = (results: Results, name: string) => results[name]?.spans.find(({ scope }) => scope.name === 'toolpact');

/** The output of each peer for a failed call, our checker's findings, and what we do instead. */
const pitfalls: readonly (readonly [peer: string, emitted: Emitted, finding: RegExp, ours: Pick, expected: unknown])[] = [
  [
    'AI SDK 7: no error.type, no metric, arguments by default',
    { spans: [{ ...sound, attributes: { ...typeless, 'gen_ai.tool.call.arguments': '{}' } }], points: [], logs: [] },
    /ERROR without an error.type.*gen_ai.tool.call.arguments is there although nobody asked.*1 spans, 0 measurements/,
    (results) => [span(results, 'http error')?.attributes['error.type'], results['http error']?.points.length],
    ['503', 1],
  ],
  [
    'AI SDK 6: a span of its own invention without gen_ai attributes',
    { spans: [{ ...sound, name: 'ai.toolCall', attributes: {}, atStart: {} }], points, logs: [] },
    /the name is "ai.toolCall".*gen_ai.operation.name is missing.*gen_ai.tool.name is missing/,
    (results) => span(results, 'http error')?.name,
    'execute_tool forecast',
  ],
  [
    'ADK JS: no attributes at all and an unset status, so that backends drop the span just when it fails',
    { spans: [{ ...sound, status: { code: 0 }, attributes: {}, atStart: {} }], points: [], logs: [] },
    /gen_ai.tool.name is missing/,
    (results) => [span(results, 'http error')?.status.code, span(results, 'http error')?.atStart['gen_ai.operation.name']],
    [2, 'execute_tool'],
  ],
  [
    'ADK Python, raised: a placeholder for the call id nobody gave',
    { spans: [{ ...sound, attributes: { ...sound.attributes, 'gen_ai.tool.call.id': 7 } }], points, logs: [] },
    /gen_ai.tool.call.id is number/,
    (results) => 'gen_ai.tool.call.id' in (span(results, 'http error')?.attributes ?? {}),
    false,
  ],
  [
    'ADK Python, returned: error.type on a span that is no error',
    { spans: [{ ...sound, status: { code: 0 } }], points, logs: [] },
    /ERROR without an error.type, or the other way round/,
    (results) => [span(results, 'returned fail')?.status.code, span(results, 'returned fail')?.attributes['error.type']],
    [2, 'not_found'],
  ],
  [
    'OpenAI Agents JS: one sentence for every failure',
    { spans: [{ ...sound, status: { code: 2 } }], points, logs: [] },
    /an error without a description/,
    (results) => span(results, 'thrown fail')?.status.message,
    'There is no such city.',
  ],
  [
    'LangSmith: status OK on success',
    { spans: [{ ...sound, status: { code: 1 }, attributes: typeless }], points: measured(typelessPoint), logs: [] },
    /the status is OK/,
    (results) => span(results, 'success')?.status,
    { code: 0 },
  ],
  [
    'Mastra: error.type "unknown", and attributes that are deprecated',
    { spans: [{ ...sound, attributes: { ...sound.attributes, 'error.message': 'no' } }], points, logs: [] },
    /error.message is not in the table/,
    (results) => span(results, 'value error')?.attributes['error.type'],
    'ValueError',
  ],
  [
    'Genkit: the exception twice, as span events',
    {
      spans: [sound],
      points,
      logs: [{ eventName: 'exception', severityNumber: 17, attributes: {}, spanId: 'parent', traceId: 't' }],
    },
    /a log record named exception.*a log record without its span/,
    (results) => [span(results, 'value error')?.events, results['value error']?.logs.length],
    [[], 1],
  ],
  [
    'MCP SDKs: an unknown tool leaves no span, or another one in each version',
    { spans: [], points, logs: [] },
    /0 spans, 1 measurements/,
    (results) => [
      span(results, 'unknown tool')?.attributes['error.type'],
      results['unknown tool']?.points[0]?.attributes['gen_ai.tool.name'],
    ],
    ['tool_not_found', '_OTHER'],
  ],
  [
    'Traceloop MCP: raw text as the description, another kind, no error.type',
    { spans: [{ ...sound, kind: 2, attributes: typeless }], points, logs: [] },
    /the kind is 2.*ERROR without an error.type/,
    (results) => span(results, 'secret')?.status.message?.includes('[redacted]'),
    true,
  ],
];

test('the checker finds nothing wrong with a sound span', () => {
  expect(checkConventions({ spans: [sound], points, logs: [] })).toEqual([]);
});

describe.each(cells)('on SDK $line with $api', (cell) => {
  let results: Results;
  beforeAll(async () => {
    results = await spawnScenarios(cell);
  });

  test.each(pitfalls)('not like %s', (_, emitted, finding, ours, expected) => {
    expect(checkConventions(emitted).join('; ')).toMatch(finding);
    expect(ours(results)).toEqual(expected);
  });
});
