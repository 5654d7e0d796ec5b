import type { ErrorOutcome, FailureKind, Outcome } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { clip, summarizeOutcome } from './tool-outcome.ts';
import type { Exchange, ToolTrial } from './tool-trial.ts';

/** Checks of how a tool takes arguments, by its answers. */
export const toolInputChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/schema-usable',
    group: 'input',
    requirement: 'The input schema is a sound JSON Schema that something fits.',
    why: 'A tool whose schema allows nothing cannot be called, and a schema that cannot be read cannot check arguments.',
    fix: 'Correct references, patterns and limits that contradict each other; write patterns without a repetition of a repetition.',
    *run({ tool, input, cases }) {
      if (input.problem !== undefined) yield { message: `the schema cannot be used: ${input.problem}` };
      else if (!cases.some(({ sort, args }) => sort !== 'hostile' && sort !== 'invalid' && input.fits(args) === true)) {
        if (input.needsValidator) return 'only a validator can tell what fits its rules: schema: fromJsonSchema of @toolpact/openapi';
        if (unsupportedKeywords.test(JSON.stringify(tool.inputSchema)))
          return 'its rules are too clever to find an input for; an example would show one';
        yield { message: 'no input was found that fits the schema; is there one? An example would show it' };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/always-answers',
    group: 'input',
    requirement: 'Every call ends with a sound outcome, whatever the arguments: nothing is thrown, nothing hangs.',
    why: 'An exception or a hung call ends the run of an agent that could have gone on.',
    fix: 'Serve the tool through defineTool, or catch everything at the border and answer with a failure of a known kind.',
    async *run(trial) {
      const exchanges = await trial.exchanges();
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, trouble } of exchanges) {
        if (trouble === undefined) continue;
        const what = { threw: 'it threw instead of answering', silent: 'it did not answer', unsound: 'the answer is not a sound outcome' }[
          trouble.sort
        ];
        yield { message: `${what}: ${trouble.message}`, evidence: { input: clip(input.args), title: input.title } };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/accepts-valid',
    group: 'input',
    level: 'should',
    requirement: 'What fits the published schema is not refused for its form.',
    why: 'A model can only keep rules that it can read. A rule that stands in the code alone costs a failed call each time.',
    fix: 'Say the rule in the schema (pattern, minimum, enum) or, where it cannot be said there, in the description of the field.',
    async *run(trial) {
      const exchanges = await answered(trial, ['example', 'valid']);
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        const issues = outcome.status === 'error' && outcome.error.kind === 'invalid_input' ? (outcome.error.issues ?? []) : [];
        // A format that is unknown here is still declared in the schema.
        if (issues.some(({ problem }) => problem !== 'format'))
          yield { message: 'it refuses what its schema allows', evidence: { input: clip(input.args), answer: summarizeOutcome(outcome) } };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/refuses-invalid',
    group: 'input',
    requirement: 'What the published schema forbids is refused as invalid_input, before anything runs.',
    why: 'A tool that takes arguments it says it does not take works on values that its author did not expect; one that calls them internal errors makes the model give up instead of correcting itself.',
    fix: 'Check the arguments against the schema first; do not convert what is of the wrong type.',
    example: 'defineTool({ input: z.object({ days: z.number().int().min(1) }), … })   // checked before run',
    async *run(trial) {
      const exchanges = await answered(trial, ['invalid']);
      if (exchanges.length === 0) return trial.cases.some(({ sort }) => sort === 'invalid') ? notRun(trial) : 'the schema forbids nothing';
      for (const { input, outcome } of exchanges) {
        const evidence = { input: clip(input.args), wrong: input.title, answer: summarizeOutcome(outcome) };
        if (outcome.status !== 'error') yield { message: 'it takes what its schema forbids', evidence };
        else if (!refusals.has(outcome.error.kind) && !isTransient(outcome))
          yield { message: `it calls bad arguments ${outcome.error.kind} instead of invalid_input`, evidence };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/names-the-field',
    group: 'input',
    level: 'should',
    requirement: 'A refusal says which field is wrong.',
    why: 'A model corrects the field that the message names; "invalid arguments" alone makes it guess.',
    fix: 'Give the issues with their paths, or name the field in the message.',
    async *run(trial) {
      const refused = (await answered(trial, ['invalid'])).filter(
        (exchange): exchange is Answered & { outcome: ErrorOutcome } =>
          exchange.outcome.status === 'error' && exchange.outcome.error.kind === 'invalid_input' && (exchange.input.field ?? '') !== '',
      );
      if (refused.length === 0) return 'nothing with a wrong field was refused';
      for (const { input, outcome } of refused) {
        const field = input.field?.split('.').at(-1) ?? '';
        const refusal = `${outcome.error.message} ${JSON.stringify(outcome.error.issues ?? [])}`;
        if (!refusal.includes(field) && !isInUnion(trial, input.field ?? ''))
          yield { message: 'the refusal does not name the field', evidence: { wrong: input.title, answer: summarizeOutcome(outcome) } };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/no-bugs',
    group: 'input',
    requirement: 'Nothing that fits the schema ends as internal.',
    why: 'internal means an unexpected error: a bug of the tool, about which its caller can do nothing.',
    fix: 'Look up the cause with causeOf(debugId) and treat the case: a failure of another kind, or a narrower schema.',
    async *run(trial) {
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary'])).filter(({ isFaked }) => !isFaked);
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        if (outcome.status === 'error' && outcome.error.kind === 'internal')
          yield {
            message: 'it ends as internal',
            evidence: { input: clip(input.args), title: input.title, answer: summarizeOutcome(outcome) },
          };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/leaves-arguments-alone',
    group: 'input',
    requirement: 'A call does not change the arguments its caller holds.',
    why: 'The caller keeps them for its history and its next attempt; changed ones make its history wrong.',
    fix: 'Copy before changing.',
    async *run(trial) {
      const exchanges = await trial.exchanges();
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, changedArguments } of exchanges) {
        if (changedArguments) yield { message: 'the arguments were changed by the call', evidence: { title: input.title } };
      }
      return undefined;
    },
  }),
];

/** Parts of schemas by which no inputs are made: looking around and back in a pattern, and keywords that only a validator follows. */
const unsupportedKeywords =
  /\(\?(?:[=!]|<[=!])|\\\\[1-9kpP]|"(?:not|if|contains|patternProperties|propertyNames|dependent\w+|unevaluated\w+|dependencies)":/;

/** An exchange that ended with an outcome. */
export type Answered = Exchange & Required<Pick<Exchange, 'outcome'>>;

/** Returns the exchanges of some sorts that ended with an outcome; none where all there is are deadlines that passed, which say nothing of the tool. */
export async function answered(trial: ToolTrial, sorts: readonly Exchange['input']['sort'][]): Promise<readonly Answered[]> {
  const all = (await trial.exchanges()).filter((exchange): exchange is Answered => exchange.outcome !== undefined);
  return all.every(({ outcome }) => isLate(outcome)) ? [] : all.filter(({ input }) => sorts.includes(input.sort));
}

/** Checks whether the deadline of the call itself passed, and not one that an upstream service reported. */
export function isLate(outcome: Outcome): boolean {
  return outcome.status === 'error' && outcome.error.kind === 'timeout' && outcome.error.upstream === undefined;
}

/** Says why a tool was not run. */
export function notRun({ notRunReason }: ToolTrial): string {
  return notRunReason ?? 'no call of that sort was answered';
}

/** Distinguishes temporary failures, and those of a guard against repetitions, from failures that say something about the call. */
export function isTransient(outcome: Outcome): boolean {
  return outcome.status === 'error' && (passing.has(outcome.error.kind) || outcome.error.code === 'repeat_refused');
}

const passing: ReadonlySet<FailureKind> = new Set([
  'rate_limited',
  'timeout',
  'unreachable',
  'upstream',
  'not_ready',
  'interrupted',
  'cancelled',
]);

/** Kinds that a refusal of arguments may have: the size of a payload is a matter of arguments too. */
const refusals: ReadonlySet<string> = new Set(['invalid_input', 'too_large']);

/** In a union every branch refuses for its own reasons, so that no single field is to blame. */
function isInUnion({ tool }: ToolTrial, field: string): boolean {
  const { anyOf, oneOf, properties } = tool.inputSchema as Record<string, unknown>;
  const [first = ''] = field.split('.');
  const described = isRecord(properties) ? properties[first] : undefined;
  return (
    anyOf !== undefined ||
    oneOf !== undefined ||
    (isRecord(described) && (described.anyOf ?? described.oneOf) !== undefined && field.includes('.'))
  );
}
