export type { ErrorType, Telemetry } from '../ports/index.ts';
export { errorType } from './error-type.ts';
export { type OpenTelemetry, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
export { continueTrace, propagateTrace, type TraceOptions } from './trace-context.ts';
