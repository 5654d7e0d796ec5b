import { typeName } from '../contract/index.ts';
import type { Issue } from '../outcome/index.ts';

/** Where something lies in an envelope. */
export type Path = readonly (string | number)[];

/** Says which part of an envelope cannot be read. Never leaves this folder. */
export class Undecodable extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Refuses a value whose type or content is wrong. */
export function wrong(path: Path, expected: string, value: unknown): never {
  const received = typeName(value);
  const shown = typeof value === 'number' || typeof value === 'boolean' ? `${value}` : received;
  throw new Undecodable({
    path,
    problem: received === expected.replace(/^an? /, '') ? 'rule' : 'type',
    expected,
    received,
    message: `${place(path)} must be ${expected}, received ${shown}`,
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

/** Names a place for people; deep ones are cut. */
export function place(path: Path): string {
  if (path.length === 0) return 'the envelope';
  return path.length > 12 ? `${path.slice(0, 12).join('.')}…` : path.join('.');
}
