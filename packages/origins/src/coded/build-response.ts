import type { JsonObject } from 'toolpact';
import { expectArgument, isRecord } from 'toolpact/internal';
import type { ErrorCode } from './error-codes.ts';

/** The envelope `{ code, message, data, meta }`. */
export interface CodedResponse<TData = JsonObject | null> {
  readonly code: number;
  readonly message: string;
  readonly data: TData;
  readonly meta: CodedMeta;
}

/** The five documented fields of a coded response's meta. */
export interface CodedMeta {
  readonly tool: string;
  readonly execution_time_ms: number;
  readonly resource_type: string | null;
  readonly session_id: string | null;
  readonly trace_id: string;
  /** Not documented, but sent where it is true: the session was made for this call and ended with it. */
  readonly temporary_session?: boolean;
}

/** Arguments of both builders; they write the wire's snake_case. */
export interface ResponseFacts {
  readonly tool: string;
  readonly executionTimeMs?: number | undefined;
  readonly resourceType?: string | null | undefined;
  readonly sessionId?: string | null | undefined;
  /** Made up when absent, because a response always has one. */
  readonly traceId?: string | null | undefined;
}

/** Builds the response of a call that did what was asked: code 0, message `success`. */
export function buildSuccessResponse<TData extends object>(facts: ResponseFacts & { readonly data: TData }): CodedResponse<TData> {
  expectArgument(isRecord(facts), 'buildSuccessResponse takes an object with `tool` and `data`');
  return { code: 0, message: 'success', data: facts.data, meta: toMeta(facts) };
}

/** Builds the response of a call that failed, with partial data where there is some. */
export function buildErrorResponse<TData extends object | null = null>(
  facts: ResponseFacts & { readonly code: Exclude<ErrorCode, 0>; readonly message: string; readonly data?: TData | undefined },
): CodedResponse<TData | null> {
  expectArgument(isRecord(facts), 'buildErrorResponse takes an object with `tool`, `code` and `message`');
  return { code: facts.code, message: facts.message, data: facts.data ?? null, meta: toMeta(facts) };
}

function toMeta({ tool, executionTimeMs, resourceType, sessionId, traceId }: ResponseFacts): CodedMeta {
  return {
    tool,
    execution_time_ms: executionTimeMs ?? 0,
    resource_type: resourceType ?? null,
    session_id: sessionId ?? null,
    trace_id: traceId ?? crypto.randomUUID(),
  };
}
