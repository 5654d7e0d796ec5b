import type { Violation } from './violation.ts';

/** Violations of one kind, over many seeds. */
export interface ViolationGroup {
  readonly invariant: string;
  /** The first message, without what differs from seed to seed. */
  readonly pattern: string;
  readonly seeds: (number | string)[];
  readonly example: string;
}

/** Puts together what says the same of different calls. */
export function groupViolations(
  results: readonly { readonly seed: number | string; readonly violations: readonly Violation[] }[],
): ViolationGroup[] {
  const groups = new Map<string, ViolationGroup>();
  for (const { seed, violations } of results) {
    for (const { invariant, message } of violations) {
      const pattern = patternOf(message);
      const name = `${invariant} ${pattern}`;
      const group = groups.get(name) ?? { invariant, pattern, seeds: [], example: message };
      if (group.seeds.at(-1) !== seed) group.seeds.push(seed);
      groups.set(name, group);
    }
  }
  return [...groups.values()].sort((one, other) => other.seeds.length - one.seeds.length);
}

function patternOf(message: string): string {
  return message
    .replace(/\b(?:approval|call)_[0-9a-f-]+/g, 'HANDLE')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{4,27}/g, 'ID')
    .replace(/\bc\d+(?:-\d+)?(?:r\d+)?\b/g, 'CALL')
    .replace(/\b(?:P\d+(?:\.\d+)?|R)\b/g, 'PROCESS')
    .replace(/\b[a-zA-Z]+-\d+\b/g, 'SUBJECT')
    .replace(/\d+(?:\.\d+)?/g, 'N')
    .replace(/\([a-zA-Z]+(?: SUBJECT)?\)/g, '(TOOL)')
    .slice(0, 260);
}
