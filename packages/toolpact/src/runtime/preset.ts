import type { Expose } from '../classify/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { ErrorType } from '../ports/index.ts';
import type { Report } from './failure-report.ts';

/** A dialect, as far as adapters use it; all of `toolpact/dialects` are such. */
export interface ModelDialect {
  readonly name: string;
  encode(outcome: Outcome, options?: { readonly strict?: boolean }): object;
}

/**
 * The options with which a system keeps one contract. They are given to the toolbox alone; adapters, servers and telemetry follow it, unless
 * their own options say otherwise.
 */
export interface Preset<TDialect extends ModelDialect = ModelDialect> {
  /** Options of the toolbox, where it does not state them itself. */
  readonly toolbox?: {
    readonly expose?: Expose;
    readonly classify?: 'words' | 'structure';
    readonly report?: Report;
    readonly repair?: boolean;
    readonly echoInput?: boolean;
    readonly timeoutMs?: number;
    readonly maxResultChars?: number;
  };
  /** The form in which models read outcomes, and in which servers answer. */
  readonly dialect?: TDialect;
  /** Further options of servers. */
  readonly server?: object;
  /** Returns the `error.type` that telemetry writes. */
  readonly errorType?: ErrorType;
}
