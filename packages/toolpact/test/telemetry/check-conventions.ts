import { type AttributeFact, conventions } from '../../src/telemetry/conventions.ts';
import type { Emitted, LogData, PointData, SpanData } from './sdk.ts';

type Facts = Readonly<Record<string, AttributeFact>>;

const kinds: Readonly<Record<string, number>> = { internal: 0, server: 1, client: 2 };
const statuses = { unset: 0, ok: 1, error: 2 };
/** Dialects of backends and applications, which only enrichers write. */
const foreign = /^(langfuse|app)\./;

/** Checks everything a scenario emitted against our table of the conventions; gives one line per finding. */
export function checkConventions({ spans, points, logs }: Emitted, options: { readonly optIn?: boolean } = {}): string[] {
  const ours = spans.filter(({ scope, name }) => scope.name === 'toolpact' && name !== conventions.attemptSpan.name);
  const [requests, calls] = [true, false].map((isRequest) => ours.filter((span) => 'mcp.method.name' in span.attributes === isRequest));
  const of = (metric: { readonly name: string }) => points.filter(({ name }) => name === metric.name);
  return [
    ...(calls ?? []).flatMap((span) => checkSpan(span, options.optIn === true)),
    ...(requests ?? []).flatMap((span) => checkRequest(span, options.optIn === true)),
    ...spans.filter(({ name }) => name === conventions.attemptSpan.name).flatMap(checkAttempt),
    ...points.flatMap((point) => checkPoint(point, metrics.find(({ name }) => name === point.name) ?? conventions.metric)),
    ...logs.flatMap((log) => checkLog(log, ours)),
    ...checkTogether(requests ?? [], of(conventions.mcp.metric)),
    // A call that is a part of a request has a measurement of its own, and no span.
    ...((requests ?? []).length > 0 ? [] : checkTogether(calls ?? [], of(conventions.metric))),
  ];
}

const metrics: readonly MetricFact[] = [conventions.metric, conventions.mcp.metric];
interface MetricFact {
  readonly name: string;
  readonly unit: string;
  readonly instrument: string;
  readonly buckets: readonly number[];
  readonly attributes: Facts;
}

function checkSpan(span: SpanData, optIn: boolean): string[] {
  const { kind, attributes: facts } = conventions.span;
  return [
    ...found(span.kind === kinds[kind], `the kind is ${span.kind}`),
    ...found(span.name === `execute_tool ${span.attributes['gen_ai.tool.name']}`, `the name is "${span.name}"`),
    ...checkAnySpan(span),
    ...checkAttributes(span.attributes, { ...facts, ...conventions.core, ...conventions.own }, optIn),
    ...checkStart(span, facts),
  ];
}

/** A request to a server of MCP; that of a tool has the attributes of the call, too. */
function checkRequest(span: SpanData, optIn: boolean): string[] {
  const { kind, attributes: facts } = conventions.mcp.span;
  const { attributes } = span;
  const isCall = attributes['mcp.method.name'] === 'tools/call';
  const isRequest = !String(attributes['mcp.method.name']).startsWith('notifications/');
  const target = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name'];
  const { 'toolpact.outcome': outcome, ...own } = conventions.own;
  const ofCall = {
    ...conventions.span.attributes,
    ...conventions.core,
    ...own,
    'toolpact.outcome': { ...outcome, level: 'recommended' },
  } as const;
  const { 'gen_ai.operation.name': operation, 'gen_ai.tool.name': tool, ...rest } = ofCall;
  return [
    ...found(span.kind === kinds[kind], `the kind is ${span.kind}`),
    ...found(span.name === [attributes['mcp.method.name'], target].filter(Boolean).join(' '), `the name is "${span.name}"`),
    ...found(isCall === 'gen_ai.operation.name' in attributes, 'gen_ai.operation.name is there, and it is no call; or the other way round'),
    ...found(!isCall || target !== undefined || span.status.code === statuses.unset, 'a call without the name of its tool'),
    ...found(isRequest === 'jsonrpc.request.id' in attributes, 'a request without an id, or a notification with one'),
    ...found('network.transport' in attributes, 'network.transport is missing'),
    ...checkAnySpan(span),
    ...checkAttributes(attributes, { ...(isCall && rest), ...facts }, optIn),
    ...checkStart(span, { 'mcp.method.name': { ...facts['mcp.method.name'], sampling: true } }),
  ];
}

function checkStart(span: SpanData, facts: Facts): string[] {
  return Object.entries(facts).flatMap(([key, { sampling }]) =>
    found(sampling !== true || span.atStart[key] === span.attributes[key], `${key} was not there at the start`),
  );
}

function checkAnySpan(span: SpanData): string[] {
  const isError = span.status.code === statuses.error;
  const type = span.attributes['error.type'];
  return [
    ...found(
      span.scope.schemaUrl === conventions.source.schemaUrl && span.scope.version !== undefined,
      'the scope has no schema or version',
    ),
    ...found(span.status.code !== statuses.ok, 'the status is OK, which is for applications to set'),
    ...found(isError === (type !== undefined), 'the status is ERROR without an error.type, or the other way round'),
    ...found(!isError || (span.status.message ?? '') !== '', 'an error without a description'),
    ...found(!isError || span.status.message !== type, 'the description repeats error.type'),
  ];
}

function checkAttempt({ attributes }: SpanData): string[] {
  return Object.keys(attributes).flatMap((key) => found(!key.startsWith('gen_ai.'), `an attempt has ${key}`));
}

function checkPoint(point: PointData, { name, unit, instrument, buckets, attributes }: MetricFact): string[] {
  return [
    ...found(point.name === name && point.unit === unit && point.type === instrument, `the metric is ${point.name} in ${point.unit}`),
    ...found(JSON.stringify(point.boundaries) === JSON.stringify(buckets), `the buckets are ${point.boundaries}`),
    ...checkAttributes(point.attributes, attributes, false),
  ];
}

function checkLog(log: LogData, spans: readonly SpanData[]): string[] {
  const { name, severity, attributes } = conventions.exception;
  const isException = log.eventName === name;
  const severities: readonly number[] = isException ? Object.values(severity) : [9];
  const facts: Facts = { ...attributes, ...conventions.span.attributes, ...conventions.own };
  return [
    ...found(isException || log.eventName === conventions.contentEvent.name, `a log record named ${log.eventName}`),
    ...found(severities.includes(log.severityNumber), `severity ${log.severityNumber}`),
    ...found(
      spans.some(({ spanId }) => spanId === log.spanId),
      'a log record without its span',
    ),
    ...found(
      !isException || 'exception.type' in log.attributes || 'exception.message' in log.attributes,
      'an exception without type or message',
    ),
    ...Object.keys(log.attributes).flatMap((key) => found(key in facts, `a log record has ${key}`)),
  ];
}

/** One call, one span, one measurement: the same duration and the same error.type. */
function checkTogether(spans: readonly SpanData[], points: readonly PointData[]): string[] {
  const count = points.reduce((sum, point) => sum + point.count, 0);
  const seconds = (list: readonly number[]) => Number(list.reduce((sum, value) => sum + value, 0).toFixed(9));
  const types = (list: readonly { readonly attributes: Readonly<Record<string, unknown>> }[]) =>
    JSON.stringify([...new Set(list.map(({ attributes }) => String(attributes['error.type'])))].sort());
  return [
    ...found(count === spans.length, `${spans.length} spans, ${count} measurements`),
    ...found(seconds(spans.map((span) => span.seconds)) === seconds(points.map(({ sum }) => sum)), 'span and metric differ in duration'),
    ...found(types(spans) === types(points), `error.type is ${types(spans)} on spans, ${types(points)} on the metric`),
  ];
}

function checkAttributes(attributes: Readonly<Record<string, unknown>>, facts: Facts, optIn: boolean): string[] {
  const missing = Object.entries(facts).flatMap(([key, { level }]) =>
    found(level !== 'required' || key in attributes, `${key} is missing`),
  );
  const wrong = Object.entries(attributes).flatMap(([key, value]) => {
    const fact = facts[key];
    if (fact === undefined) return found(foreign.test(key), `${key} is not in the table`);
    return [
      ...found(fact.level !== 'opt_in' || optIn, `${key} is there although nobody asked for it`),
      ...found(isOfType(value, fact.type), `${key} is ${typeof value}`),
      ...found(
        fact.values === undefined || [...fact.values, ...(fact.newer ?? []), '_OTHER'].includes(String(value)),
        `${key} is ${value}`,
      ),
    ];
  });
  return [...missing, ...wrong];
}

function isOfType(value: unknown, type: AttributeFact['type']): boolean {
  if (type === 'any') return typeof value === 'object' || (typeof value === 'string' && value.startsWith('{'));
  return type === 'int' ? Number.isInteger(value) : typeof value === type;
}

function found(isRight: boolean, problem: string): string[] {
  return isRight ? [] : [problem];
}
