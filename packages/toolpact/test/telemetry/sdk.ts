import * as api from '@opentelemetry/api';

/** An SDK line under test. */
export type Line = '2.12' | '3.1';

/** A span as plain data. */
export interface SpanData {
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The attributes that a sampler could see. */
  readonly atStart: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly links: readonly { readonly spanId: string; readonly traceId: string }[];
  readonly seconds: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly scope: { readonly name: string; readonly version?: string; readonly schemaUrl?: string };
}

/** A point of the duration metric as plain data. */
export interface PointData {
  readonly name: string;
  readonly unit: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly sum: number;
  readonly boundaries: readonly number[];
}

/** A log record as plain data. */
export interface LogData {
  readonly eventName: string;
  readonly severityNumber: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly spanId?: string;
  readonly traceId?: string;
}

/** All that was emitted. */
export interface Emitted {
  readonly spans: readonly SpanData[];
  readonly points: readonly PointData[];
  readonly logs: readonly LogData[];
}

interface RawSpan {
  readonly name: string;
  readonly kind: number;
  readonly status: SpanData['status'];
  readonly attributes: Record<string, unknown>;
  readonly events: readonly { readonly name: string; readonly attributes?: Record<string, unknown> }[];
  readonly links: readonly { readonly context: api.SpanContext }[];
  readonly duration: [number, number];
  readonly parentSpanContext?: api.SpanContext;
  readonly instrumentationScope: SpanData['scope'];
  spanContext(): api.SpanContext;
}

/** Registers an SDK that keeps everything in memory; `take` gives what was emitted since it was last asked. */
export async function startSdk(line: Line): Promise<{ take(): Promise<Emitted> }> {
  const v3 = line === '3.1';
  const traces = await import(v3 ? 'otel-3-sdk-trace' : '@opentelemetry/sdk-trace-base');
  const metricsSdk = await import(v3 ? 'otel-3-sdk-metrics' : '@opentelemetry/sdk-metrics');
  const logsSdk = await import(v3 ? 'otel-3-sdk-logs' : '@opentelemetry/sdk-logs');
  const { AsyncLocalStorageContextManager } = await import(v3 ? 'otel-3-context-async-hooks' : '@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = await import(v3 ? 'otel-3-core' : '@opentelemetry/core');

  const atStart = new Map<string, Record<string, unknown>>();
  let ended: RawSpan[] = [];
  const keeper = {
    onStart: (span: RawSpan) => void atStart.set(span.spanContext().spanId, { ...span.attributes }),
    onEnd: (span: RawSpan) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const Provider = traces.BasicTracerProvider ?? traces.TracerProvider;
  if (!api.trace.setGlobalTracerProvider(new Provider({ spanProcessors: [keeper] })))
    throw new Error('This process has a tracer provider already: list the file under `alone` in vitest.config.ts.');
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());

  const metricExporter = new metricsSdk.InMemoryMetricExporter(metricsSdk.AggregationTemporality.DELTA);
  const reader = new metricsSdk.PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 10_000_000,
    exportTimeoutMillis: 1000,
  });
  api.metrics.setGlobalMeterProvider(new metricsSdk.MeterProvider({ readers: [reader] }));

  let records: (LogData & { spanContext?: api.SpanContext })[] = [];
  const logKeeper = {
    onEmit: (record: LogData & { spanContext?: api.SpanContext }) => void records.push(record),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const loggerProvider = new logsSdk.LoggerProvider({ processors: [logKeeper] });
  if (v3) api.logs.setGlobalLoggerProvider(loggerProvider);
  else (await import('@opentelemetry/api-logs')).logs.setGlobalLoggerProvider(loggerProvider);

  return {
    async take() {
      await reader.forceFlush();
      const metrics = metricExporter.getMetrics() as RawMetrics;
      metricExporter.reset();
      const emitted = {
        spans: ended.map((span) => toSpanData(span, atStart)),
        points: metrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics.flatMap(toPoints))),
        logs: records.map(({ eventName, severityNumber, attributes, spanContext }) => ({
          eventName,
          severityNumber,
          attributes: { ...attributes },
          ...(spanContext && { spanId: spanContext.spanId, traceId: spanContext.traceId }),
        })),
      };
      ended = [];
      records = [];
      atStart.clear();
      return emitted;
    },
  };
}

type RawMetrics = readonly { readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[] }[];

interface RawMetric {
  readonly descriptor: { readonly name: string; readonly unit: string };
  readonly dataPointType: number;
  readonly dataPoints: readonly {
    readonly attributes: Record<string, unknown>;
    readonly value: { readonly count: number; readonly sum: number; readonly buckets: { readonly boundaries: number[] } };
  }[];
}

function toPoints({ descriptor, dataPointType, dataPoints }: RawMetric): PointData[] {
  return dataPoints.map(({ attributes, value }) => ({
    name: descriptor.name,
    unit: descriptor.unit,
    type: dataPointType === 0 ? 'histogram' : String(dataPointType),
    attributes,
    count: value.count,
    sum: value.sum,
    boundaries: value.buckets.boundaries,
  }));
}

function toSpanData(span: RawSpan, atStart: ReadonlyMap<string, Record<string, unknown>>): SpanData {
  const { traceId, spanId } = span.spanContext();
  const { name, version, schemaUrl } = span.instrumentationScope;
  return {
    name: span.name,
    kind: span.kind,
    status: span.status,
    attributes: { ...span.attributes },
    atStart: atStart.get(spanId) ?? {},
    events: span.events.map(({ name, attributes = {} }) => ({ name, attributes })),
    links: span.links.map(({ context }) => ({ spanId: context.spanId, traceId: context.traceId })),
    seconds: span.duration[0] + span.duration[1] / 1e9,
    traceId,
    spanId,
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    scope: { name, ...(version !== undefined && { version }), ...(schemaUrl !== undefined && { schemaUrl }) },
  };
}
