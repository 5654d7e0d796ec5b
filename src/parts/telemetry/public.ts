export { conventions } from './conventions.ts';
export { errorType } from './error-type.ts';
export { langfuse } from './langfuse.ts';
export { type OpenTelemetry, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
export { toolErrorType } from './tool-error-type.ts';
export { continueTrace, propagateTrace } from './trace-context.ts';
