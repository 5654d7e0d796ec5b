import type { JsonObject, JsonValue } from 'toolpact';
import type { extensionKey } from 'toolpact/internal';
import type { ToolErrorType } from './tool-error-type.ts';

/** The answer of a call that did what was asked; that of a call that still waits has `{ pending }` as its data. */
export interface ToolResult<TInput = JsonValue, TOutput = JsonValue> {
  readonly status: 'ok';
  readonly input: TInput;
  readonly data: TOutput;
  readonly meta: ToolResultMeta;
  readonly [extensionKey]?: JsonObject;
}

/** Describes a successful call. */
export interface ToolResultMeta {
  readonly took_ms: number;
  readonly source_counts?: Readonly<Record<string, number>>;
  readonly routing?: JsonObject;
  readonly cache_hit?: boolean;
  readonly token_usage?: Readonly<Record<string, number>>;
}

/** The answer of a call that failed. */
export interface ToolError<TInput = JsonValue> {
  readonly status: 'error';
  readonly input: TInput;
  readonly error: ToolErrorDetail;
  readonly meta: ToolErrorMeta;
  readonly [extensionKey]?: JsonObject;
}

/** Describes a failure. Optional fields are there only when set, except `retry_after_ms`, which is null when unknown. */
export interface ToolErrorDetail {
  readonly type: ToolErrorType;
  readonly message: string;
  readonly code?: string;
  readonly cause?: string;
  readonly details?: JsonObject;
  readonly retry_after_ms: number | null;
  readonly upstream_status?: number;
  readonly endpoint?: string;
  readonly attempt?: number;
}

/** Describes a failed call. */
export interface ToolErrorMeta {
  readonly took_ms: number;
}

/** Either answer, distinguished by `status`. */
export type ToolOutput<TInput = JsonValue, TOutput = JsonValue> = ToolResult<TInput, TOutput> | ToolError<TInput>;
