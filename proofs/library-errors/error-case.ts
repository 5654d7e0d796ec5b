import type { FailureKind } from 'toolpact';

/** One failure that a library really produces, and what an agent should be told about it. */
export interface ErrorCase {
  readonly library: string;
  /** The scenario in a few words; unique within its library. */
  readonly id: string;
  /** Makes the library fail: throws or rejects with whatever the library throws. */
  readonly run: () => unknown;
  readonly expect: Expectation;
}

/** States what is checked; `kinds` lists every answer that the facts allow. */
export type Expectation = ({ readonly kind: FailureKind } | { readonly kinds: readonly FailureKind[] }) & {
  /** Follows from the answered kind when left out; `either` where the facts do not decide it. */
  readonly retryable?: boolean | 'either';
  /** `none` where nobody answered: a library's own number must not be passed on as the other side's. */
  readonly status?: number | 'none';
  readonly retryAfterMs?: number;
};

/** Puts one library's name on its cases. */
export function casesOf(library: string, cases: readonly Omit<ErrorCase, 'library'>[]): ErrorCase[] {
  return cases.map((entry) => ({ library, ...entry }));
}

/** Lists the kinds that a case accepts. */
export function kindsOf(expectation: Expectation): readonly FailureKind[] {
  return 'kind' in expectation ? [expectation.kind] : expectation.kinds;
}

/** Expectations that mean the same in every library. */
export const unreachable: Expectation = { kind: 'unreachable', retryable: true, status: 'none' };
export const unknownName: Expectation = { kind: 'unreachable', retryable: 'either', status: 'none' };
export const badCertificate: Expectation = { kind: 'unreachable', retryable: false, status: 'none' };
export const timeout: Expectation = { kind: 'timeout', retryable: true };
export const cancelled: Expectation = { kind: 'cancelled', retryable: false };
export const invalidInput: Expectation = { kind: 'invalid_input' };
export const cutOff: Expectation = { kinds: ['unreachable', 'bad_response'], retryable: 'either' };
