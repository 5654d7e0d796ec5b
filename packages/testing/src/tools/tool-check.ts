import { expectArgument, type OptionNames, refuseOptions } from 'toolpact/internal';
import { type Check, defineCheck, type Level, type Problem } from '../define-check.ts';
import type { ToolTrial } from './tool-trial.ts';

/** The subject of a check of a tool; one column of the table. */
export type ToolGroup = 'name' | 'words' | 'portable' | 'input' | 'output' | 'failures' | 'secrets' | 'repeats' | 'time';

/** Judges one requirement of a tool, and can say why it matters. */
export interface ToolCheck extends Check<ToolTrial> {
  readonly group: ToolGroup;
  /** Why it matters. */
  readonly why: string;
  /** How to keep it. */
  readonly fix: string;
  /** Code that keeps it. */
  readonly example?: string;
}

/** A check of a tool as its author writes it: `run` yields what is wrong, and may return why it could not judge. */
export interface ToolCheckDefinition extends Omit<ToolCheck, 'run' | 'level'> {
  readonly level?: Level;
  readonly run: (trial: ToolTrial) => AsyncGenerator<Problem, unknown> | Generator<Problem, unknown>;
}

const checkOptions: OptionNames<ToolCheckDefinition> = {
  id: true,
  requirement: true,
  level: true,
  run: true,
  group: true,
  why: true,
  fix: true,
  example: true,
};
/** A problem is shown this often; the rest is counted. */
const maxShown = 3;

/** Defines a check of a tool. */
export function defineToolCheck(definition: ToolCheckDefinition): ToolCheck {
  refuseOptions(`the check "${definition?.id}"`, definition, checkOptions);
  expectArgument(typeof definition?.run === 'function', 'defineToolCheck takes an object with `id`, `requirement` and the function `run`');
  const { run, level = 'must', ...about } = definition;
  const { id, requirement } = about;
  const check = defineCheck<ToolTrial>({
    id,
    requirement,
    level,
    async run(trial) {
      const problems: Problem[] = [];
      const found = run(trial);
      let step = await found.next();
      for (; step.done !== true; step = await found.next()) problems.push(step.value);
      if (typeof step.value === 'string' && problems.length === 0) trial.skipped.set(about.id, step.value);
      return summed(problems).map((problem) => ({ tool: trial.tool.name, fix: about.fix, ...problem }));
    },
  });
  return Object.freeze({ ...about, ...check });
}

/** One broken promise is one finding, with a few of the inputs that show it. */
function summed(problems: readonly Problem[]): Problem[] {
  const byMessage = Map.groupBy(problems, ({ message }) => message);
  return [...byMessage].map(([message, same]) => {
    const evidence = same.flatMap((problem) => (problem.evidence === undefined ? [] : [problem.evidence]));
    const [first] = same;
    return {
      ...first,
      message: same.length > 1 ? `${message} (${same.length} times)` : message,
      ...(evidence.length > 0 && { evidence: evidence.length === 1 ? evidence[0] : evidence.slice(0, maxShown) }),
    };
  });
}
