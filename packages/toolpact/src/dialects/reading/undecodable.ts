import { typeName } from '../../contract/index.ts';
import { cutText } from '../../json/index.ts';
import type { Issue } from '../../outcome/index.ts';

/** Where something lies in an envelope. */
export type Path = readonly (string | number)[];

/** Says which part of an envelope cannot be read. Never leaves this folder. */
export class Undecodable extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = { ...issue, path: issue.path.map(cut) };
  }
}

/** Refuses a value whose type or content is wrong. */
export function wrong(path: Path, expected: string, value: unknown): never {
  const received = typeName(value);
  throw new Undecodable({
    path,
    problem: families[received]?.test(expected) ? 'rule' : 'type',
    expected,
    received,
    message: `${place(path)} must be ${expected}, received ${shown(value, expected)}`,
  });
}

/** Refuses an envelope that lacks a field. */
export function missing(path: Path, expected: string): never {
  throw new Undecodable({ path, problem: 'missing', expected, message: `${place(path)} is missing` });
}

/** Refuses an envelope whose parts contradict each other or break another rule. */
export function broken(path: Path, message: string): never {
  throw new Undecodable({ path, problem: 'rule', message });
}

/** Names a place for people; deep ones and long keys are cut. */
export function place(path: Path): string {
  if (path.length === 0) return 'the envelope';
  const steps = path.slice(0, 12).map(cut).join('.');
  return path.length > 12 ? `${steps}…` : steps;
}

/** A key is the other side's to choose, and may be of any length. */
function cut(step: string | number): string | number {
  return typeof step === 'string' ? cutText(step, 64) : step;
}

/** The common words of descriptions of a type: a value that matches has the right type and breaks another rule. */
const families: Readonly<Record<string, RegExp>> = {
  string: /string|one of/,
  number: /number|integer/,
  object: /object|block/,
  array: /array|list/,
};

/** Texts are shown only where one of a few words was expected: anything else may be data. */
function shown(value: unknown, expected: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' && expected.startsWith('one of') ? JSON.stringify(value.slice(0, 40)) : typeName(value);
}
