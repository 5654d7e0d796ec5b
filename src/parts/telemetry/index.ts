// All that is public, and what only authors need.
export { type AttributeFact, conventions, type RequirementLevel } from './conventions.ts';
export type { ErrorTypeHints } from './error-type.ts';
export * from './public.ts';
export type { OtelApi } from './signals.ts';
export type { ErrorTypeValues } from './tool-error-type.ts';
export type { TraceCarrier } from './trace-context.ts';
