import { type AttributeFact, conventions } from '../../src/parts/telemetry/index.ts';
import type { Emitted, LogData, PointData, SpanData } from './sdk.ts';

type Facts = Readonly<Record<string, AttributeFact>>;

const kinds: Readonly<Record<string, number>> = { internal: 0, server: 1, client: 2 };
const statuses = { unset: 0, ok: 1, error: 2 };
/** Dialects of backends, which only enrichers write. */
const foreign = /^langfuse\./;

/** Checks everything a scenario emitted against our table of the conventions; gives one line per finding. */
export function checkConventions({ spans, points, logs }: Emitted, options: { readonly optIn?: boolean } = {}): string[] {
  const calls = spans.filter(({ scope, name }) => scope.name === 'toolpact' && name !== conventions.attemptSpan.name);
  return [
    ...calls.flatMap((span) => checkSpan(span, options.optIn === true)),
    ...spans.filter(({ name }) => name === conventions.attemptSpan.name).flatMap(checkAttempt),
    ...points.flatMap(checkPoint),
    ...logs.flatMap((log) => checkLog(log, calls)),
    ...checkTogether(calls, points),
  ];
}

function checkSpan(span: SpanData, optIn: boolean): string[] {
  const { kind, attributes: facts } = conventions.span;
  const isError = span.status.code === statuses.error;
  const type = span.attributes['error.type'];
  return [
    ...found(span.kind === kinds[kind], `the kind is ${span.kind}`),
    ...found(span.name === `execute_tool ${span.attributes['gen_ai.tool.name']}`, `the name is "${span.name}"`),
    ...found(
      span.scope.schemaUrl === conventions.source.schemaUrl && span.scope.version !== undefined,
      'the scope has no schema or version',
    ),
    ...found(span.status.code !== statuses.ok, 'the status is OK, which is for applications to set'),
    ...found(isError === (type !== undefined), 'the status is ERROR without an error.type, or the other way round'),
    ...found(!isError || (span.status.message ?? '') !== '', 'an error without a description'),
    ...found(!isError || span.status.message !== type, 'the description repeats error.type'),
    ...checkAttributes(span.attributes, { ...facts, ...conventions.core, ...conventions.own }, optIn),
    ...Object.entries<AttributeFact>(facts).flatMap(([key, { sampling }]) =>
      found(sampling !== true || span.atStart[key] === span.attributes[key], `${key} was not there at the start`),
    ),
  ];
}

function checkAttempt({ attributes }: SpanData): string[] {
  return Object.keys(attributes).flatMap((key) => found(!key.startsWith('gen_ai.'), `an attempt has ${key}`));
}

function checkPoint(point: PointData): string[] {
  const { name, unit, instrument, buckets, attributes } = conventions.metric;
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
      ...found(fact.values === undefined || fact.values.includes(String(value)), `${key} is ${value}`),
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
