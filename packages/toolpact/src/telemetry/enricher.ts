import type { Attributes } from '@opentelemetry/api';
import type { Outcome } from '../outcome/index.ts';
import type { TracedCall } from '../ports/index.ts';

/** Adds attributes of a backend's own dialect to the span of a call. One that fails adds nothing. */
export interface SpanEnricher {
  /** Attributes for the start of the span, where samplers and filters see them. */
  readonly start?: (call: TracedCall) => Attributes;
  /** Attributes that depend on how the call went. */
  readonly end?: (call: TracedCall, outcome: Outcome) => Attributes;
}
