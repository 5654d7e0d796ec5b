import type { FailureKind } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';

/** A dialect in which a server answers. Every dialect is one; some have rules of their own for requests that never become a call. */
export interface ServedDialect extends Dialect {
  readonly refusal?: (refused: RefusedRequest) => RefusalFacts;
}

/** The form of an answer: an outcome as it is, or a dialect. */
export type AnswerForm = 'outcome' | ServedDialect;

/** A request that a server refuses before any call. */
export interface RefusedRequest {
  readonly kind: FailureKind;
  /** The HTTP status, where it says more than that of the kind. */
  readonly status: number | undefined;
  /** Whether the request itself cannot be read: its path, its body or the name of its tool. */
  readonly isMalformed: boolean;
  /** Whether the server speaks this dialect unless a request selects another one. */
  readonly isSpoken: boolean;
}

/** Facts about a refusal that a dialect words in place of the server. */
export interface RefusalFacts {
  readonly code?: string;
  readonly status?: number;
}
