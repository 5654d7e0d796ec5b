import { catalogue, type Failure, type Outcome } from 'toolpact';
import { dialects } from 'toolpact/dialects';
import { reservedCodes, toMessagePattern } from 'toolpact/internal';
import { isSame, lostPaths } from '../lost-paths.ts';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { answered, isTransient, notRun } from './tool-input-checks.ts';
import { clip, summarizeOutcome } from './tool-outcome.ts';

const maxRepeats = 12;

/** Checks of what callers rely on in the failures of a tool. */
export const toolFailureChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/stable-kinds',
    group: 'failures',
    requirement: 'The same mistake is answered with the same kind and code again.',
    why: 'Programs branch on kind and code; one that changes from call to call cannot be branched on.',
    fix: 'Choose the kind from what happened, not from its text or from what happened before; return fail(kind, …) where you know it.',
    async *run(trial) {
      if (trial.notRunReason !== undefined) return trial.notRunReason;
      const failed = (await answered(trial, ['example', 'valid', 'boundary', 'invalid', 'hostile'])).filter(
        ({ outcome }) => outcome.status === 'error' && !isTransient(outcome),
      );
      if (failed.length === 0) return 'no call failed for good';
      // One of each kind first: that is where they can differ.
      const first = [...Map.groupBy(failed, ({ outcome }) => signature(outcome)).values()].flatMap(([one]) =>
        one === undefined ? [] : [one],
      );
      for (const { input, outcome } of [...new Set([...first, ...failed])].slice(0, maxRepeats)) {
        const again = (await trial.ask(input))?.outcome;
        if (again === undefined || isTransient(again)) continue;
        if (signature(again) !== signature(outcome))
          yield {
            message: 'the same call failed in two ways',
            evidence: { input: clip(input.args), first: summarizeOutcome(outcome), again: summarizeOutcome(again) },
          };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/declared-codes',
    group: 'failures',
    level: 'should',
    requirement: 'Codes of failures are declared by the tool.',
    why: 'Declared codes are typed, listed and compared from version to version; others surprise.',
    fix: 'Add the code to failures, with its kind.',
    example: "failures: { insufficient_funds: 'conflict' }",
    async *run(trial) {
      const { plan } = trial;
      if (plan === undefined) return 'its definition is not in this process';
      const declared = new Set([...Object.keys(plan.failures ?? {}), ...reservedCodes]);
      for (const { input, outcome } of await answered(trial, ['example', 'valid', 'boundary', 'invalid'])) {
        const code = outcome.status === 'error' ? outcome.error.code : undefined;
        if (code !== undefined && !declared.has(code))
          yield { message: `the code "${code}" is not declared`, evidence: { input: clip(input.args) } };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/kinds-stated',
    group: 'failures',
    level: 'should',
    requirement: 'A failure states its kind.',
    why: 'A plain Error has only words. Where they cannot be read, the model gets no other advice than yours. Where they are read, they are no proof that nothing was done: the key of a writing call stays taken, and nothing is retried.',
    fix: 'Throw fail(kind, message) with the kind that fits, in the place of the Error.',
    example: "throw fail('not_found', 'There is no such order.');   // instead of: throw new Error('There is no such order.')",
    async *run(trial) {
      if (trial.plan === undefined) return 'its definition is not in this process';
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary', 'hostile'])).filter(({ isFaked }) => !isFaked);
      if (exchanges.length === 0) return notRun(trial);
      const unread = exchanges.flatMap(({ outcome }) => (outcome.status === 'error' && isUnread(outcome.error) ? [outcome.error] : []));
      for (const [pattern, errors] of Map.groupBy(unread, ({ message }) => toMessagePattern(message))) {
        const [first] = errors;
        yield {
          message: `it throws a plain Error in ${errors.length} of ${exchanges.length} calls: state its kind with fail, such as fail('not_found', …)`,
          evidence: { pattern: clip(pattern), message: clip(first?.message), kind: first?.kind },
        };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/honest-effect',
    group: 'failures',
    requirement: 'A failure says nothing about the outside world that contradicts what the tool is.',
    why: 'A caller repeats what had no effect and checks what may have had one; a wrong word leads to a double payment or a needless question.',
    fix: 'Leave the effect to the runtime, or state it with fail(kind, message, { effect }) or declare steps: true and change things inside ctx.step.',
    async *run(trial) {
      const exchanges = await answered(trial, ['example', 'valid', 'boundary', 'invalid', 'hostile']);
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        if (outcome.status !== 'error') continue;
        const { kind, effect, retryable, recovery } = outcome.error;
        const evidence = { input: clip(input.args), kind, effect, retryable, recovery };
        if (kind === 'invalid_input' && effect === 'applied')
          yield { message: 'arguments were refused, and yet something has happened', evidence };
        else if (trial.tool.effects === 'none' && effect !== 'none')
          yield { message: 'it has no effects, but a failure says it may have had one', evidence };
        else if (trial.tool.effects === 'writes' && effect === 'unknown' && retryable)
          yield { message: 'a failure with unknown effect says it may be repeated', evidence };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/round-trips',
    group: 'failures',
    requirement: 'Every answer survives every dialect: written, sent and read back it is the same.',
    why: 'Answers cross servers, frameworks and logs in other formats; what is lost on the way is lost for the model.',
    fix: 'Return plain JSON; report it if a dialect of Toolpact loses an answer.',
    async *run(trial) {
      const exchanges = await answered(trial, ['example', 'valid', 'boundary', 'invalid', 'hostile']);
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        for (const dialect of Object.values(dialects)) {
          const lost = lostIn(dialect, outcome);
          if (lost !== undefined) yield { message: `${dialect.name} ${lost}`, evidence: { input: clip(input.args) } };
        }
      }
      return undefined;
    },
  }),
];

/** Checks whether only words say what went wrong: nothing could be read from them, or they are no proof of a refusal. */
function isUnread({ kind, effect }: Failure): boolean {
  return kind === 'failed' || (catalogue[kind].refusal && kind !== 'denied' && effect === 'unknown');
}

function lostIn(dialect: (typeof dialects)[keyof typeof dialects], outcome: Outcome): string | undefined {
  const before = JSON.parse(JSON.stringify(outcome)) as Outcome;
  try {
    const read = dialect.decode(JSON.parse(JSON.stringify(dialect.encode(outcome))));
    if (!read.ok) return `cannot carry an answer: ${read.failure.message}`;
    return isSame(read.outcome, before) ? undefined : `loses ${lostPaths(before, read.outcome).join(', ')}`;
  } catch (thrown) {
    return `cannot carry an answer: ${String(thrown)}`;
  }
}

function signature(outcome: Outcome): string {
  return outcome.status === 'error' ? `${outcome.error.kind} ${outcome.error.code ?? ''}` : outcome.status;
}
