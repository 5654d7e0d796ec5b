import type { Level } from '../define-check.ts';

/** Rules that a tool must keep when its process dies or an answer is lost. */
export interface CrashCheck {
  readonly id: `crashes/${CrashCheckName}`;
  readonly level: Level;
  /** The promise of a tool that passes, in one sentence. */
  readonly requirement: string;
  /** Why it matters to those who call the tool. */
  readonly why: string;
  /** How to keep it, in general; a finding says what fits its tool. */
  readonly fix: string;
  /** A tool, or a part of one, that keeps it. */
  readonly example: string;
}

/** The part of an id after `crashes/`. */
export type CrashCheckName = 'acts-once' | 'ends' | 'tells-truth' | 'can-tell';

const facts: Readonly<Record<CrashCheckName, Omit<CrashCheck, 'id'>>> = {
  'acts-once': {
    level: 'must',
    requirement: 'A tool that writes does so once, although its process dies, an answer is lost, and its caller calls again.',
    why: 'Models, agents and engines repeat a call whose answer they never got. What it had done already is then done twice: two payments, two mails.',
    fix: 'Give the tool a key of what must not happen twice, do what writes in `ctx.step`, and add `reconcile`, which asks the service what happened.',
    example:
      "idempotency: { key: ({ invoice }) => invoice }, steps: true, run: (input, { step }) => step('charge', () => bank.charge(input))",
  },
  ends: {
    level: 'must',
    requirement: 'A call ends with an answer, whatever died on its way.',
    why: 'A model that waits for an answer that never comes blocks its run, and nobody learns what happened to the call.',
    fix: 'Let everything that the tool waits for end with `ctx.signal`.',
    example: 'run: (input, { signal }) => fetch(url, { signal })',
  },
  'tells-truth': {
    level: 'must',
    requirement: 'An answer does not say that something was done that was not, nor that nothing was done where something was.',
    why: 'A model that reads `none` repeats the call, and one that reads `ok` tells a person that it is done.',
    fix: 'Let `reconcile` say `applied` only where the service has it, and give failures the effect that they had.',
    example: "fail('upstream', 'The bank did not answer.', { effect: 'unknown' })",
  },
  'can-tell': {
    level: 'should',
    requirement: 'A tool can find out what happened to a step whose end was not recorded.',
    why: 'Without it the call ends as `interrupted` with the effect `unknown`, and a person has to look.',
    fix: 'Add `reconcile`: ask the service what it knows of this call, by a number of your own that it stores.',
    example: "reconcile: async ({ invoice }) => ((await bank.find(invoice)) ? { effect: 'applied' } : { effect: 'none' })",
  },
};

/** Everything that `checkCrashes` can find. */
export const crashChecks: readonly CrashCheck[] = (Object.keys(facts) as CrashCheckName[]).map(crashCheck);

/** Returns one of them. */
export function crashCheck(name: CrashCheckName): CrashCheck {
  return { id: `crashes/${name}`, ...facts[name] };
}
