import type { JsonObject } from '../json/index.ts';
import type { FailureKind, Recovery } from './catalogue.ts';

/** Describes a failure: what went wrong, whether repeating is safe, whether anything changed, and what to do next. */
export interface Failure<TCode extends string = string> {
  readonly kind: FailureKind;
  /** The tool's own declared code, or a reserved one. */
  readonly code?: TCode;
  /** A description of what happened, and only that: never a stack or a secret. Paths may be in it, see `expose`. */
  readonly message: string;
  /** The next step, in one sentence. Absent in failures that another system stated; see `adviceFor`. */
  readonly advice?: string;
  readonly recovery: Recovery;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly effect: 'none' | 'applied' | 'unknown';
  readonly issues?: readonly Issue[];
  /** Present when the other side said so. */
  readonly upstream?: {
    /** A status of HTTP, or one of gRPC, which are those up to 16. */
    readonly status?: number;
    /** An address, never with query, credentials or fragment; or the name of what was called, such as a queue. */
    readonly endpoint?: string;
    readonly requestId?: string;
  };
  /** An explicit `error.type` given at the throw site. */
  readonly errorType?: string;
  /** Which attempt failed, counted from 1. */
  readonly attempt?: number;
  /** The exception's name or system code, such as `ECONNREFUSED`. */
  readonly cause?: string;
  readonly details?: JsonObject;
  /** Operators find the full cause under this id; the cause itself is never sent to the caller. */
  readonly debugId?: string;
}

/** Says whether the outside world changed before a call failed. */
export type Effect = Failure['effect'];

/** Describes the upstream service as it showed itself in a failure. */
export type Upstream = NonNullable<Failure['upstream']>;

/** Points at one thing that is wrong with a value, and says how to fix it. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly problem: 'missing' | 'type' | 'format' | 'extra' | 'rule';
  readonly format?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly message: string;
  readonly hint?: string;
}

/** One failed item of a batch or a partial result. */
export interface ItemFailure {
  readonly index: number;
  readonly id?: string;
  readonly error: Failure;
}
