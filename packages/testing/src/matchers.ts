import { type Failure, type FailureKind, type Outcome, type Pending, toModelText } from 'toolpact';
import { isOutcome } from 'toolpact/internal';
import { isSame } from './lost-paths.ts';

/** The answer of a matcher, in vitest and in jest. */
type Matched = {
  readonly pass: boolean;
  readonly message: () => string;
};

/** The help that both give to a matcher; without it values are compared as JSON. */
interface MatcherState {
  readonly equals?: (left: unknown, right: unknown) => boolean;
  readonly isNot?: boolean;
}

/**
 * The methods of `expect` once it was extended. For types, write once in your tests:
 *
 * @example
 * import type { OutcomeMatchers } from '@toolpact/testing';
 * declare module 'vitest' {
 *   // version 5; before that: interface Matchers<T = any> extends OutcomeMatchers<T> {}
 *   interface Matchers<R extends void | Promise<void>, T> extends OutcomeMatchers<R> {}
 * }
 * // jest: declare global { namespace jest { interface Matchers<R> extends OutcomeMatchers<R> {} } }
 * // @jest/globals: declare module 'expect' { interface Matchers<R extends void | Promise<void>, T = unknown> extends OutcomeMatchers<R> {} }
 */
export interface OutcomeMatchers<TResult = unknown> {
  /** Expects success, with this data if some is given. */
  toBeOk(data?: unknown): TResult;
  /** Expects a failure of this kind, and of these facts among others. */
  toFailWith(kind: FailureKind, facts?: { readonly [TKey in keyof Failure]?: unknown }): TResult;
  /** Expects a call that waits, for this reason if one is given. */
  toBePending(reason?: Pending['reason']): TResult;
  /** Expects a partial result, with this number of failed items if it is given. */
  toBePartial(facts?: { readonly failed?: number; readonly total?: number; readonly data?: unknown }): TResult;
}

type Equals = (left: unknown, right: unknown) => boolean;

/** Says what is wrong with an outcome; an empty text where its status says it already. */
type Judge<TWords extends readonly unknown[]> = (outcome: Outcome, equals: Equals, ...words: TWords) => string | undefined;

type Matcher<TWords extends readonly unknown[]> = (this: unknown, received: unknown, ...words: TWords) => Matched;

/** Matchers for outcomes: `expect.extend(matchers)`, in vitest and in jest. */
export const matchers: {
  readonly [TName in keyof OutcomeMatchers]: Matcher<Parameters<OutcomeMatchers[TName]>>;
} = {
  toBeOk: matcher('to be ok', (outcome, equals, ...data) =>
    outcome.status === 'ok' ? firstDifference(outcome, data.length === 0 ? {} : { data: data[0] }, equals) : '',
  ),
  toFailWith: matcher('to fail', (outcome, equals, kind, facts = {}) =>
    outcome.status === 'error' ? firstDifference(outcome.error, { kind, ...facts }, equals) : '',
  ),
  toBePending: matcher('to be pending', (outcome, equals, reason) =>
    outcome.status === 'pending' ? firstDifference(outcome.pending, reason === undefined ? {} : { reason }, equals) : '',
  ),
  toBePartial: matcher('to be partial', (outcome, equals, facts = {}) =>
    outcome.status === 'partial' ? firstDifference({ ...outcome, failed: outcome.failures.length }, facts, equals) : '',
  ),
};

function matcher<TWords extends readonly unknown[]>(title: string, judge: Judge<TWords>): Matcher<TWords> {
  return function match(received, ...words) {
    const { equals = isSame, isNot = false } = (this ?? {}) as MatcherState;
    // Neither one nor its contrary: a forgotten await must not pass for a call that is not ok.
    if (!isOutcome(received))
      return { pass: isNot, message: () => `expected an outcome ${isNot ? 'not ' : ''}${title}, and got no outcome: ${show(received)}` };
    const problem = judge(received, equals, ...words);
    const wanted = words.length === 0 ? title : `${title} with ${words.map(show).join(', ')}`;
    const got = `its status is ${received.status}: ${toModelText(received).slice(0, 500)}`;
    return {
      pass: problem === undefined,
      message: () => `expected the outcome ${problem === undefined ? 'not ' : ''}${wanted}${problem ? `; ${problem}` : ''}; ${got}`,
    };
  };
}

function firstDifference(actual: object, wanted: object, equals: Equals): string | undefined {
  for (const [key, value] of Object.entries(wanted)) {
    const got = (actual as Readonly<Record<string, unknown>>)[key];
    if (!equals(got, value)) return `${key} is ${show(got)}, not ${show(value)}`;
  }
  return undefined;
}

function show(value: unknown): string {
  if (value instanceof Promise) return 'a promise; await it';
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 300);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
