import { expectArgument, isRecord, refuseOptions } from 'toolpact/internal';

/** How severe a finding is: `must` for a broken promise, `should` for a weakness. */
export type Level = 'must' | 'should';

/** Something a check found wrong. */
export interface Finding {
  /** The id of the check that found it. */
  readonly check: string;
  readonly level: Level;
  /** The defect, in one sentence. */
  readonly message: string;
  /** The proof: an input, an answer, or both. */
  readonly evidence?: unknown;
  /** The tool it is about, where the subject has several. */
  readonly tool?: string;
  /** Advice how to put it right. */
  readonly fix?: string;
}

/** Judges one requirement of a subject. */
export interface Check<TSubject> {
  readonly id: string;
  /** The promise of a subject that passes, in one sentence. */
  readonly requirement: string;
  readonly level: Level;
  readonly run: (subject: TSubject) => readonly Finding[] | Promise<readonly Finding[]>;
}

/** A check as its author writes it: `run` names what is wrong, and the rest of each finding is filled in. */
export interface CheckDefinition<TSubject> extends Omit<Check<TSubject>, 'run'> {
  readonly run: (subject: TSubject) => Iterable<Problem> | Promise<Iterable<Problem>>;
}

/** The part of a finding that only the check can know. */
export type Problem = Omit<Finding, 'check' | 'level'>;

/** Defines a check. Its `run` never throws: a subject that throws is a finding. */
export function defineCheck<TSubject>(definition: CheckDefinition<TSubject>): Check<TSubject> {
  refuseOptions(`the check "${definition?.id}"`, definition, { id: true, requirement: true, level: true, run: true });
  expectArgument(
    isRecord(definition) && typeof definition.run === 'function',
    'defineCheck takes an object with `id`, `requirement`, `level` and the function `run`',
  );
  const { id, requirement, level, run } = definition;
  return Object.freeze({
    id,
    requirement,
    level,
    async run(subject: TSubject): Promise<readonly Finding[]> {
      const found: Finding[] = [];
      try {
        for (const problem of await run(subject)) found.push({ check: id, level, ...problem });
      } catch (thrown) {
        found.push({ check: id, level, message: `it threw instead of answering: ${String(thrown)}` });
      }
      return found;
    },
  });
}

/** Runs checks one after the other and gathers what they found. */
export async function runChecks<TSubject>(checks: readonly Check<TSubject>[], subject: TSubject): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const check of checks) found.push(...(await check.run(subject)));
  return found;
}
