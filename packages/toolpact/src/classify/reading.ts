import type { FailureKind } from '../outcome/index.ts';

/** A kind, with `+` or `-` where its transience differs from the catalogue's. */
export type Verdict = FailureKind | `${FailureKind}${'+' | '-'}`;

/** A possible reading of what went wrong, and how much it weighs against others. Words, statuses and codes share one scale. */
export interface Reading {
  readonly verdict: Verdict;
  readonly weight: number;
  /** Whether only the author of a tool says it, during a call. */
  readonly isAuthors?: true | undefined;
}

/** The readings of the numbers or names of one space, each space in a file of its own. */
export type CodeTable = Readonly<Record<string, readonly [verdict: Verdict, weight: number, name?: string]>>;

/** Creates a table of rows that hold everything with one meaning and weight. */
export function tableOf(rows: readonly (readonly [verdict: Verdict, weight: number, names: string])[]): CodeTable {
  return Object.fromEntries(
    rows.flatMap(([verdict, weight, names]) => (names.match(/\S+/g) ?? []).map((name) => [name, [verdict, weight]] as const)),
  );
}

/** Looks a number or name up in the table of its space. */
export function lookUp(table: CodeTable, code: string | number): Reading[] {
  const row = Object.hasOwn(table, code) ? table[code] : undefined;
  return row === undefined ? [] : [{ verdict: row[0], weight: row[1] }];
}

/** Returns the kind of a verdict, and its transience where that differs from the catalogue's. */
export function toKind(verdict: Verdict): { readonly kind: FailureKind; readonly retryable: boolean | undefined } {
  const mark = verdict.at(-1);
  return { kind: verdict.replace(/[+-]$/, '') as FailureKind, retryable: mark === '+' || (mark === '-' ? false : undefined) };
}
