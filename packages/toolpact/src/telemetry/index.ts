export type {
  CallSpan,
  ErrorType,
  ErrorTypeHints,
  McpAnswer,
  McpOperation,
  McpSpan,
  McpTelemetry,
  Telemetry,
  TracedCall,
} from '../ports/index.ts';
export { type AttributeFact, conventions, type RequirementLevel } from './conventions.ts';
export type { SpanEnricher } from './enricher.ts';
export { errorType } from './error-type.ts';
export { type LangfuseOptions, langfuse } from './langfuse.ts';
export { type OpenTelemetry, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
export type { OtelApi } from './signals.ts';
export { continueTrace, propagateTrace, type TraceCarrier, type TraceOptions } from './trace-context.ts';
