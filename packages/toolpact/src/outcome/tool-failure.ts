import { type JsonObject, type JsonValue, peek } from '../json/index.ts';
import { statedAdvice } from './advice-for.ts';
import type { FailureKind } from './catalogue.ts';
import type { Effect, Failure, Issue, ItemFailure, Upstream } from './failure.ts';
import { withoutAbsent } from './without-absent.ts';

const brand = Symbol.for('toolpact/tool-failure');

/** Marks what a handler may return instead of bare data. */
export const replyBrand = Symbol.for('toolpact/reply');

/** Facts an author may state next to kind and message. */
export interface FailOptions<TCode extends string = string> {
  readonly code?: TCode;
  /** The next step, in one sentence. @default what follows from the kind, see `adviceFor` */
  readonly advice?: string;
  /** Overrides the kind's transience, for example a conflict that a later try can win. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** States whether the outside world changed; without it the runtime derives it. */
  readonly effect?: Effect;
  readonly issues?: readonly Issue[];
  readonly upstream?: Upstream;
  readonly errorType?: string;
  readonly details?: JsonObject;
  /** A payload for the caller that belongs to this failure. */
  readonly data?: JsonValue;
  readonly failures?: readonly ItemFailure[];
  /** The original error; it goes to the operator only. */
  readonly cause?: unknown;
}

/** The one throwable: made by `fail`, thrown by `unwrap`, and the same thing whether a handler throws or returns it. */
export class ToolFailure<TCode extends string = string> extends Error {
  readonly kind: FailureKind;
  readonly options: FailOptions<TCode>;

  constructor(kind: FailureKind, message: string, options: FailOptions<TCode> = {}) {
    super(message, options);
    this.kind = kind;
    this.options = options;
  }

  /** The code of this failure, when it has one. */
  get code(): TCode | undefined {
    return this.options.code;
  }

  /** Recognises a ToolFailure, also one made by another copy of this package. Never throws. */
  static isInstance(value: unknown): value is ToolFailure {
    return peek(value, brand as never) === true;
  }
}
Object.defineProperties(ToolFailure.prototype, {
  [brand]: { value: true },
  [replyBrand]: { value: true },
  name: { value: 'ToolFailure', configurable: true, writable: true },
});

/** Returns the failure inside an error outcome's throwable form back, with what else is known of it, see `unwrap`. */
export function toToolFailure(
  failure: Failure,
  data?: JsonValue,
  more?: { readonly [K in 'cause' | 'failures']?: FailOptions[K] | undefined },
): ToolFailure {
  const { kind, message, recovery, attempt: _attempt, cause: _cause, debugId: _debugId, ...stated } = failure;
  // All other recoveries follow from the rest; of `failed` it says whether the message is its author's.
  const kept = kind === 'failed' ? { recovery } : undefined;
  return new ToolFailure(kind, message, withoutAbsent<FailOptions>({ ...stated, ...kept, advice: statedAdvice(failure), data, ...more }));
}
