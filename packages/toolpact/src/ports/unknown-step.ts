import { fail, type ToolFailure } from '../outcome/index.ts';

/** No more names of steps than this are listed in a refusal. */
const maxNames = 50;

/** Creates the failure of a rerun from a step that its call does not have; undefined where it has it. */
export function unknownStep(from: string, steps: Iterable<string>): ToolFailure | undefined {
  const names = [...new Set(steps)];
  if (names.includes(from)) return undefined;
  const shown = names.slice(0, maxNames);
  const known = shown.length === 0 ? 'It has begun no step.' : `Its steps are ${shown.map((name) => JSON.stringify(name)).join(', ')}.`;
  return fail('invalid_input', `The call has no step ${JSON.stringify(from)}. ${known}`, {
    effect: 'none',
    details: { steps: shown },
    issues: [{ path: ['from'], problem: 'rule', message: 'must be the name of a step of the call' }],
  });
}
