import type { ErrorType } from '../ports/index.ts';
import type { Capture, ContentRules } from './content.ts';
import type { OpenTelemetryOptions } from './open-telemetry.ts';
import type { OtelApi } from './signals.ts';

/** How calls are recorded, all decided. */
export interface RecordSettings {
  readonly api: OtelApi;
  /** Undefined where a call's own counts, or else the usual one. */
  readonly errorType: ErrorType | undefined;
  readonly capture: Capture;
  readonly redact: ContentRules['redact'];
  readonly maxContentChars: number;
  readonly spanEvents: boolean;
  readonly attemptSpans: boolean;
  readonly isServer: boolean;
  readonly enrich: OpenTelemetryOptions['enrich'];
  readonly capErrorType: (tool: string, value: string) => string;
  /** Bounds the names of agents on the metric; they count together, under an empty tool. */
  readonly capAgent: (tool: string, value: string) => string;
}
