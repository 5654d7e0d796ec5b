import type { Attributes } from '@opentelemetry/api';
import { type JsonObject, type Outcome, refuseOptions } from '../outcome/index.ts';
import type { ErrorType, McpTelemetry, Telemetry, TracedCall } from '../ports/index.ts';
import { startCallSpan } from './call-span.ts';
import { createValueCap } from './cap-values.ts';
import { type Capture, captureFromEnv } from './content.ts';
import { globalApi } from './global-api.ts';
import { startMcpSpan } from './mcp-span.ts';
import { createSignals, type OtelApi } from './signals.ts';
import { continueTrace, type TraceCarrier } from './trace-context.ts';

/** The most distinct names of agents on the duration metric; further ones are `_OTHER`. */
const maxAgents = 256;

/** How calls are recorded. */
export interface OpenTelemetryOptions {
  /** Returns the `error.type` of a failure; undefined if it is not a fault. @default that of the toolbox's preset, or `errorType` */
  readonly errorType?: ErrorType;
  /** Where arguments and results are written, redacted. @default what `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` says, else nowhere */
  readonly capture?: Capture;
  /** A last word on captured content, after the toolbox's own redaction. */
  readonly redact?: (content: JsonObject, what: 'arguments' | 'result') => JsonObject;
  /** The most characters of captured content. @default 8_192 */
  readonly maxContentChars?: number;
  /** Also writes the exception as a span event, for backends without logs. @default whether `OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN` says `logs/dup` */
  readonly spanEvents?: boolean;
  /** A child span `toolpact.attempt` per attempt. @default false */
  readonly attemptSpans?: boolean;
  /** Whether this process is the outermost to see the exception; then it is logged as an error, not as a warning. @default false */
  readonly isServer?: boolean;
  /**
   * Returns more attributes for the span of a call: at its start, where samplers and filters see them, and at its end, with its outcome. One
   * that throws adds nothing.
   */
  readonly enrich?: ((call: TracedCall, outcome?: Outcome) => Attributes) | undefined;
  /** The application's copy of `@opentelemetry/api`, where this package resolves another one. */
  readonly api?: OtelApi;
}

/** Records the calls of a toolbox, and what a server is asked. */
export interface OpenTelemetry extends Telemetry, McpTelemetry {
  /** Runs something inside the trace that a carrier brings, see {@link continueTrace}. */
  readonly within: <TValue>(carrier: TraceCarrier, run: () => TValue) => TValue;
  /** Has the SDK send what it still keeps, before a process ends. Never rejects; how long it may take is for the caller to say. */
  readonly flush: () => Promise<void>;
}

/** Methods of an SDK's providers that the API does not declare. */
interface SdkProvider {
  forceFlush(): Promise<unknown>;
}

/** The most distinct values of `error.type` per tool; further ones are `_OTHER`. */
const mostErrorTypes = 64;

/**
 * Records every call with OpenTelemetry: one `execute_tool` span, the duration metric, and the exception as a log record. Given to a server
 * too, it also records MCP requests. Uses the SDK that the application registers, also later; without one it does nothing.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  refuseOptions<OpenTelemetryOptions>('openTelemetry', options, {
    errorType: true,
    capture: ['none', 'span', 'event', 'both'] satisfies Capture[],
    redact: true,
    maxContentChars: true,
    spanEvents: true,
    attemptSpans: true,
    isServer: true,
    enrich: 'a function',
    api: true,
  });
  const { api = globalApi, enrich } = options;
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  const signals = createSignals(api);
  const isGlobal = api === globalApi;
  const settings = {
    api,
    errorType: options.errorType,
    capture: options.capture ?? captureFromEnv(env),
    redact: options.redact,
    maxContentChars: options.maxContentChars ?? 8192,
    spanEvents: options.spanEvents ?? env.OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN?.includes('logs/dup') === true,
    attemptSpans: options.attemptSpans ?? false,
    isServer: options.isServer ?? false,
    enrich,
    capErrorType: createValueCap(mostErrorTypes),
    capAgent: createValueCap(maxAgents),
  };
  return {
    start(call) {
      if (isGlobal && signals.isIdle()) return undefined;
      const tracer = signals.tracer();
      const histogram = signals.histogram();
      const logger = signals.logger();
      if (tracer === undefined && histogram === undefined && logger === undefined) return undefined;
      return startCallSpan(call, { tracer, histogram, logger }, settings);
    },
    startMcp(operation) {
      if (isGlobal && signals.isIdle()) return undefined;
      const tracer = signals.tracer();
      const histogram = signals.mcpHistogram();
      return tracer === undefined && histogram === undefined ? undefined : startMcpSpan(operation, { tracer, histogram }, settings);
    },
    within: (carrier, run) => (isGlobal && signals.isIdle() ? run() : continueTrace(carrier, run, { api })),
    async flush() {
      const sending = signals.providers().map(async (provider) => (provider as Partial<SdkProvider> | undefined)?.forceFlush?.());
      await Promise.allSettled(sending);
    },
  };
}
