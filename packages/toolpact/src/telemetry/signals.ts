import type * as otel from '@opentelemetry/api';
import { conventions, scope } from './conventions.ts';

/** The OpenTelemetry API, of whichever copy. */
export type OtelApi = typeof otel;

/** The tracer, instrument and logger to use now; undefined where none is registered. */
export interface Signals {
  /** Whether nothing has been registered yet; asked first, because it is asked before every call. */
  readonly isIdle: () => boolean;
  readonly tracer: () => otel.Tracer | undefined;
  readonly histogram: () => otel.Histogram | undefined;
  /** The instrument for requests to a server of MCP. */
  readonly mcpHistogram: () => otel.Histogram | undefined;
  readonly logger: () => LogEmitter | undefined;
  /** The providers that the application has registered for all three. */
  readonly providers: () => readonly unknown[];
}

/** The part that both generations of the logs API have in common. */
export interface LogEmitter {
  readonly emit: (record: LogEntry) => void;
  readonly enabled?: (options?: {
    readonly severityNumber?: number;
    readonly eventName?: string;
    readonly context?: otel.Context;
  }) => boolean;
}

/** One log record. */
export interface LogEntry {
  readonly eventName: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly timestamp: otel.TimeInput;
  readonly attributes: Record<string, unknown>;
  readonly context: otel.Context;
}

interface LogProvider {
  readonly getLogger: (name: string, version: string, options: { schemaUrl: string }) => LogEmitter;
}

type Globals = Readonly<Record<symbol, ({ readonly logs?: unknown } & ((version: number) => LogProvider | undefined)) | undefined>>;

type MetricFact = Pick<typeof conventions.metric | typeof conventions.mcp.metric, 'name' | 'unit' | 'buckets'>;

const globals = globalThis as unknown as Globals;
const apiKey = Symbol.for('opentelemetry.js.api.1');
const oldLogsKey = Symbol.for('io.opentelemetry.js.api.logs');

/**
 * Finds out, call by call, whether an SDK is there. Compared by identity, so that it costs next to nothing while there is none, and an
 * SDK registered late or replaced is found: a histogram of the API stays a no-op for ever if it was made too early.
 */
export function createSignals(api: OtelApi): Signals {
  const idleTracers = new api.ProxyTracerProvider().getDelegate();
  const idleMeter = api.createNoopMeter();
  let tracers: otel.TracerProvider | undefined;
  let tracer: otel.Tracer | undefined;
  let loggers: LogProvider | undefined;
  let logger: LogEmitter | undefined;

  /** Returns what finds one instrument; each is made when it is first needed. */
  const findHistogram = (fact: MetricFact, description: string): (() => otel.Histogram | undefined) => {
    let meters: otel.MeterProvider | undefined;
    let histogram: otel.Histogram | undefined;
    return () => {
      const provider = api.metrics.getMeterProvider();
      if (provider !== meters) {
        meters = provider;
        const meter = provider.getMeter(scope.name, scope.version, { schemaUrl: scope.schemaUrl });
        histogram = meter === idleMeter ? undefined : createHistogram(meter, fact, description);
      }
      return histogram;
    };
  };

  return {
    isIdle: () => globals[apiKey] === undefined && globals[oldLogsKey] === undefined,
    tracer() {
      const actual = tracerProvider(api);
      if (actual === idleTracers) return undefined;
      if (actual !== tracers) {
        tracers = actual;
        tracer = actual.getTracer(scope.name, scope.version, { schemaUrl: scope.schemaUrl });
      }
      return tracer;
    },
    histogram: findHistogram(conventions.metric, 'The duration of a single tool execution.'),
    mcpHistogram: findHistogram(conventions.mcp.metric, 'The duration of an MCP request or notification, as its receiver sees it.'),
    logger() {
      const provider = logProvider(api);
      if (provider !== loggers) {
        loggers = provider;
        logger = provider?.getLogger(scope.name, scope.version, { schemaUrl: scope.schemaUrl });
      }
      return logger;
    },
    providers: () => [tracerProvider(api), api.metrics.getMeterProvider(), logProvider(api)],
  };
}

function tracerProvider(api: OtelApi): otel.TracerProvider {
  const provider = api.trace.getTracerProvider();
  return 'getDelegate' in provider ? (provider as otel.ProxyTracerProvider).getDelegate() : provider;
}

function createHistogram(meter: otel.Meter, { name, unit, buckets }: MetricFact, description: string): otel.Histogram {
  return meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: [...buckets] } });
}

/** The logs API moved into the API package with 1.10; before that it had a registry of its own, and neither sees the other's. */
function logProvider(api: OtelApi): LogProvider | undefined {
  if (globals[apiKey]?.logs !== undefined && 'logs' in api) return api.logs.getLoggerProvider() as unknown as LogProvider;
  return globals[oldLogsKey]?.(1);
}
