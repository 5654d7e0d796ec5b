import type { JsonObject, JsonValue } from '../json/index.ts';
import type { Failure, ItemFailure } from './failure.ts';

/**
 * The result of a call, distinguished by `status`. Plain JSON without methods: safe to store, send and show.
 * Envelope, meta and failure are frozen; `data` is the tool's own.
 */
export type Outcome<TData = unknown, TCode extends string = string> =
  | OkOutcome<TData>
  | PartialOutcome<TData>
  | ErrorOutcome<TCode>
  | PendingOutcome;

/** The call did what was asked. */
export interface OkOutcome<TData = unknown> {
  readonly status: 'ok';
  readonly data: TData;
  readonly message?: string;
  readonly content?: readonly Content[];
  readonly input?: JsonValue;
  readonly meta: Meta;
}

/** Some items succeeded and some failed. */
export interface PartialOutcome<TData = unknown> {
  readonly status: 'partial';
  readonly data: TData;
  readonly message?: string;
  readonly content?: readonly Content[];
  readonly failures: readonly ItemFailure[];
  readonly total: number;
  readonly input?: JsonValue;
  readonly meta: Meta;
}

/** The call failed. */
export interface ErrorOutcome<TCode extends string = string> {
  readonly status: 'error';
  readonly error: Failure<TCode>;
  /** Data that the tool attached to this failure. */
  readonly data?: JsonValue;
  /** The tool's declared `onFailure` value; never a result. */
  readonly fallback?: unknown;
  readonly failures?: readonly ItemFailure[];
  readonly input?: JsonValue;
  readonly meta: Meta;
}

/** The call waits for something: an approval, an input, its own end, or the host. */
export interface PendingOutcome {
  readonly status: 'pending';
  readonly pending: Pending;
  readonly message?: string;
  readonly input?: JsonValue;
  readonly meta: Meta;
}

/** Describes what a pending call waits for, and how to ask again. */
export interface Pending {
  readonly handle: string;
  readonly reason: 'approval' | 'input' | 'running' | 'host';
  readonly ask?: { readonly message: string; readonly schema?: JsonObject };
  readonly expiresAt?: string;
  readonly pollAfterMs?: number;
  /** How far it has come, where it runs and says so: the last message, and percent from 0 to 100. */
  readonly progress?: { readonly message?: string; readonly percent?: number };
}

/** Describes the call itself. `call` always sets tool, invocationId and traceId; foreign envelopes may lack them. */
export interface Meta {
  readonly tool?: string;
  readonly invocationId?: string;
  readonly traceId?: string;
  readonly callId?: string;
  /** Milliseconds as a float, at least 0.001. */
  readonly tookMs: number;
  readonly attempts: number;
  readonly sessionId?: string;
  readonly resourceType?: string;
  /** Whether the session was made for this call and ends with it. */
  readonly temporarySession?: boolean;
  readonly runId?: string;
  /** Ids of the application's own domain, as the caller gave them. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly tenantId?: string;
  readonly replayed?: boolean;
  readonly cacheHit?: boolean;
  readonly tokenUsage?: Readonly<Record<string, number>>;
  readonly sourceCounts?: Readonly<Record<string, number>>;
  readonly routing?: JsonObject;
  readonly resultRef?: string;
  readonly truncated?: boolean;
  readonly warnings?: readonly string[];
}

/** A block a model can read, see or hear. Binary data is base64. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly uri: string; readonly mimeType?: string; readonly text?: string; readonly data?: string };

/** Checks whether a call did what was asked, wholly. */
export function isOk<TData, TCode extends string>(outcome: Outcome<TData, TCode>): outcome is OkOutcome<TData> {
  return outcome?.status === 'ok';
}

/** Checks whether a call failed. */
export function isFailure<TData, TCode extends string>(outcome: Outcome<TData, TCode>): outcome is ErrorOutcome<TCode> {
  return outcome?.status === 'error';
}
