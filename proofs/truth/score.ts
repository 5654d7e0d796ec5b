import type { Failure, FailureKind } from 'toolpact';
import { classify } from 'toolpact';
import type { FamilyWord, OwnFault, StoredCase } from './corpus.ts';
import { restoreError } from './restore-error.ts';

/** How often an answer was right. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/** Gives a share in percent; nothing of nothing is all. */
export function percentOf({ right, of }: Share): number {
  return of === 0 ? 100 : (100 * right) / of;
}

/** Writes a share in percent. */
export function percent(share: Share): string {
  return share.of === 0 ? '–' : `${percentOf(share).toFixed(1)} %`;
}

/** The answer of `classify` for one stored error, and its mistakes. */
export interface Reading {
  readonly entry: StoredCase;
  readonly failure: Failure;
  readonly kind: boolean;
  readonly retryable: boolean | undefined;
  readonly status: boolean | undefined;
  readonly retryAfter: boolean | undefined;
}

/** Reads every stored error again. */
export function readCases(cases: readonly StoredCase[], withStacks: boolean): Reading[] {
  return cases.map((entry) => {
    const { kinds, status, retryAfterMs, now } = entry;
    const failure = classify(restoreError(entry.error, { withStacks }), { now });
    const waits = retryAfterMs?.some((wait) => isNear(failure.retryAfterMs, wait, entry.toleranceMs));
    return {
      entry,
      failure,
      kind: isRight(failure.kind, kinds),
      retryable: entry.retryable === undefined ? undefined : failure.retryable === entry.retryable,
      status: status === undefined ? undefined : failure.upstream?.status === (status === 'none' ? undefined : status),
      retryAfter: waits,
    };
  });
}

/** The corpora were judged when every error that could not be read was `internal`; now it is `failed`, unless it is evidently a bug. */
function isRight(kind: FailureKind, kinds: readonly string[]): boolean {
  return kinds.includes(kind) || (kind === 'failed' && kinds.includes('internal'));
}

/** Counts one column of readings. */
export function shareOf(readings: readonly Reading[], column: 'kind' | 'retryable' | 'status' | 'retryAfter'): Share {
  const answered = readings.map((reading) => reading[column]).filter((right) => right !== undefined);
  return { right: answered.filter(Boolean).length, of: answered.length };
}

/** Counts the documented words that are read as one of their kinds. */
export function shareOfWords(words: readonly FamilyWord[]): Share {
  const right = words.filter(({ kinds, error }) => isRight(classify(restoreError(error, { withStacks: true })).kind, kinds));
  return { right: right.length, of: words.length };
}

/** One sentence of an application's own code and what the model was told to do about it. */
export interface FaultReading extends OwnFault {
  readonly failure: Failure;
  readonly harmful: boolean;
}

/** Throws every sentence as a plain `Error` made in an application's own file and reads what a model would be told. */
export function readFaults(faults: readonly OwnFault[], withStacks: boolean): FaultReading[] {
  return faults.map((fault) => {
    const stored = { '~class': ['Error'], '~place': 'own', message: fault.sentence };
    const failure = classify(restoreError(stored, { withStacks }));
    return { ...fault, failure, harmful: harmful.has(failure.recovery) };
  });
}

/** For a bug of the tool all of these send the model off to do something useless. */
const harmful: ReadonlySet<string> = new Set(['fix_input', 'wait', 'reauth', 'ask_user']);

/** Counts the sentences that are answered with harmful advice. */
export function harmOf(readings: readonly FaultReading[]): Share {
  return { right: readings.filter(({ harmful }) => harmful).length, of: readings.length };
}

/** Spreads origins over folds in a fixed way, each origin wholly in one of them. */
export function foldsOf<T>(items: readonly T[], originOf: (item: T) => string, count = 5): T[][] {
  const origins = [...new Set(items.map(originOf))].sort();
  return Array.from({ length: count }, (_, fold) => items.filter((item) => origins.indexOf(originOf(item)) % count === fold));
}

/** Within a tenth or a second: dates in headers have whole seconds. */
function isNear(found: number | undefined, wanted: number, tolerance = Math.max(1_000, wanted * 0.1)): boolean {
  return found !== undefined && Math.abs(found - wanted) <= tolerance;
}
