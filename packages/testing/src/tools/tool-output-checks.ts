import { catalogue, type FailureKind, type JsonObject } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { isSame } from '../lost-paths.ts';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { answered, notRun } from './tool-input-checks.ts';
import { clip, summarizeOutcome } from './tool-outcome.ts';

/** Checks of what a tool gives back, and of what a caller has left when it fails. */
export const toolOutputChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/output-declared',
    group: 'output',
    level: 'should',
    requirement: 'The tool has an output schema.',
    why: 'Without one a change of its results goes unnoticed, and programs cannot rely on them.',
    fix: 'Declare the schema of the result.',
    example: 'output: z.object({ celsius: z.number() })',
    *run({ tool }) {
      if (tool.outputSchema === undefined) yield { message: 'it has no output schema' };
    },
  }),
  defineToolCheck({
    id: 'tools/output-kept',
    group: 'output',
    requirement: 'Every result fits the published output schema.',
    why: 'Programs read results by their schema; one that breaks it breaks them, later and elsewhere.',
    fix: 'Correct what the tool returns, or its schema.',
    async *run(trial) {
      const { output } = trial;
      if (output === undefined) return 'it has no output schema';
      if (output.problem !== undefined) {
        yield { message: `the output schema cannot be used: ${output.problem}` };
        return undefined;
      }
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary'])).filter(({ isFaked }) => !isFaked);
      const results = exchanges.filter(
        ({ outcome }) => outcome.status === 'ok' || (outcome.status === 'error' && outcome.error.kind === 'invalid_output'),
      );
      if (results.length === 0) return trial.notRunReason ?? 'no call gave a result';
      for (const { input, outcome } of results) {
        const evidence = { input: clip(input.args), answer: summarizeOutcome(outcome) };
        if (outcome.status === 'error') yield { message: 'a result broke the schema and was withheld as invalid_output', evidence };
        else if (outcome.status === 'ok' && outcome.meta.truncated !== true && output.fits(outcome.data) === false)
          yield { message: 'a result does not fit the output schema', evidence };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/succeeds',
    group: 'output',
    level: 'should',
    requirement: 'Some call of the tool succeeds.',
    why: 'Arguments that are made up often name nothing that exists. Where every call fails, a bug on the way to a result goes unnoticed.',
    fix: 'Give an example of a call that works.',
    example: "examples: [{ input: { id: 'T-1' } }]",
    async *run(trial) {
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary'])).filter(({ isFaked }) => !isFaked);
      if (exchanges.length === 0) return notRun(trial);
      const failures = exchanges.flatMap(({ outcome }) => (outcome.status === 'error' ? [outcome.error.kind] : []));
      if (failures.length < exchanges.length) return undefined;
      // A service that is away, or a missing key, says nothing about the arguments.
      if (!failures.every(isAboutArguments)) return 'every call failed for a reason outside of its arguments';
      yield {
        message: 'no call of it succeeded, so its results were never seen',
        evidence: { calls: failures.length, kinds: [...new Set(failures)] },
      };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/default-declared',
    group: 'output',
    level: 'should',
    requirement: 'A tool that only reads, and gives a list, says what its caller may show when it fails.',
    why: 'An empty list instead of a hole lets a page or a program go on; kept apart as fallback it cannot be taken for a result.',
    fix: 'Declare onFailure with an empty or default value.',
    example: 'onFailure: { results: [] }',
    *run({ tool, plan }) {
      if (plan === undefined) return 'its definition is not in this process';
      if (tool.effects !== 'none' || tool.outputSchema === undefined) return 'it writes, or has no output schema';
      // A list can be empty; no number or text says "nothing" as well.
      if (!givesList(tool.outputSchema)) return 'its result has no list';
      if (plan.onFailure === undefined) yield { message: 'it has no onFailure' };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/default-kept',
    group: 'output',
    requirement: 'The default for failures is there when a call fails, and fits the output schema.',
    why: 'A program that shows a default relies on its form as on that of a result.',
    fix: 'Make onFailure fit the output schema, for every input that fits, without throwing.',
    async *run(trial) {
      const { plan, output } = trial;
      // A default may repeat the arguments, so only with arguments that fit can it be asked to fit.
      const failures = (await answered(trial, ['example', 'valid', 'boundary'])).map(({ input, outcome }) => ({ input, outcome }));
      if (plan?.onFailure !== undefined) {
        const inputs = trial.cases.filter(
          ({ sort, args }) => ['example', 'valid', 'boundary'].includes(sort) && trial.input.fits(args) === true,
        );
        for (const input of inputs) failures.push({ input, outcome: await trial.callStub(input.args, failing) });
      }
      let judged = 0;
      for (const { input, outcome } of failures) {
        if (outcome.status !== 'error') continue;
        const evidence = { input: clip(input.args), fallback: clip(outcome.fallback) };
        if (plan?.onFailure !== undefined && outcome.fallback === undefined)
          yield { message: 'a failure came without the declared default', evidence };
        if (outcome.fallback === undefined) continue;
        judged += 1;
        if (output?.fits?.(outcome.fallback) === false) yield { message: 'the default does not fit the output schema', evidence };
        if (isSame(outcome.data, outcome.fallback)) yield { message: 'the default is given as data too, as if it were a result', evidence };
      }
      return judged === 0 ? 'no failure came with a default' : undefined;
    },
  }),
];

function isAboutArguments(kind: FailureKind): boolean {
  return catalogue[kind].recovery === 'fix_input' || kind === 'failed';
}

/** Recognises a result that is a list, or an object with one. */
function givesList({ type, properties }: JsonObject): boolean {
  const parts = isRecord(properties) ? Object.values(properties) : [];
  return [{ type }, ...parts].some((part) => isRecord(part) && [part.type].flat().includes('array'));
}

function failing(): never {
  throw new Error('on purpose');
}
