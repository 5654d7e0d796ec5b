// All that is public, and what only authors need.
export type { AttributeFact, RequirementLevel } from './conventions.ts';
export type { SpanEnricher } from './enricher.ts';
export type { ErrorTypeHints } from './error-type.ts';
export type { LangfuseOptions } from './langfuse.ts';
export * from './public.ts';
export type { OtelApi } from './signals.ts';
export type { ErrorTypeValues } from './tool-error-type.ts';
export type { TraceCarrier, TraceOptions } from './trace-context.ts';
