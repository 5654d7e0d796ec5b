import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { Outcome } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { answered, notRun } from './tool-input-checks.ts';
import { clip } from './tool-outcome.ts';
import type { ToolTrial } from './tool-trial.ts';

/** A contract that tools can be judged by besides the common checks. It has the name of its preset. */
export type ContractName = 'flat' | 'coded' | 'value' | 'status' | 'genAi001';

/** What a contract demands of every answer of a tool. */
interface Demand extends Pick<ToolCheck, 'id' | 'requirement' | 'why' | 'fix'> {
  /** Says what is wrong with an answer, if anything is. */
  readonly problemOf: (outcome: Outcome, trial: ToolTrial) => string | undefined | Promise<string | undefined>;
}

const strict = { strict: true } as const;
const numbers: ReadonlySet<number> = new Set([0, 4001, 4002, 4003, 4004, 4005, 4006, ...Array.from({ length: 10 }, (_, n) => 5001 + n)]);
const types: ReadonlySet<string> = new Set(['RATE_LIMIT', 'TIMEOUT', 'UPSTREAM', 'VALIDATION', 'RETRYABLE', 'FATAL']);

const demands: Readonly<Record<ContractName, readonly Demand[]>> = {
  flat: [
    {
      id: 'contract/flat-defaults',
      requirement: 'A failed call has the fields of a successful one, with empty defaults.',
      why: 'A reader of the dictionary takes `results` from it without looking at `success` first.',
      fix: 'Declare the default: onFailure: { results: [] }.',
      problemOf(outcome, { tool }) {
        const { required = [] } = tool.outputSchema ?? {};
        if (outcome.status !== 'error' || !Array.isArray(required)) return undefined;
        const written = flat.encode(outcome, strict);
        const lacking = required.filter((name) => !Object.hasOwn(written, String(name)));
        return lacking.length === 0 ? undefined : `a failure lacks ${lacking.join(', ')}`;
      },
    },
    {
      id: 'contract/flat-names',
      requirement: 'No field of the result is named `success` or `error`.',
      why: 'The dictionary has these names itself, so the field is lost.',
      fix: 'Give the field another name.',
      problemOf: (outcome) => nameIn(outcome, ['success', 'error']),
    },
  ],
  coded: [
    {
      id: 'contract/coded-numbers',
      requirement: 'Every answer has a documented number, and the four fields and five facts of the envelope.',
      why: 'Clients branch on the number alone.',
      fix: 'Fail with a kind of the catalogue, or with the lower-case name of a number as the code.',
      problemOf(outcome) {
        const { code, message, meta } = coded.encode(outcome, strict);
        if (!numbers.has(code)) return `the number ${code} is not documented`;
        if ((code === 0) !== (message === 'success')) return `the message of ${code} is "${message}"`;
        if (!(meta.execution_time_ms > 0)) return 'execution_time_ms is not above 0';
        return meta.tool === '' || meta.trace_id === '' ? 'tool or trace_id is empty' : undefined;
      },
    },
    {
      id: 'contract/coded-success',
      requirement: 'No field of the data is named `success`.',
      why: 'The number is the only sign of success; a second one can contradict it.',
      fix: 'Fail where it says false, and leave it out where it says true.',
      problemOf: (outcome) => nameIn(outcome, ['success']),
    },
  ],
  value: [
    {
      id: 'contract/value-documented',
      requirement: 'The result is documented, and every success has it.',
      why: 'Reducers rely on the type of `value`.',
      fix: 'State the output schema of the tool.',
      problemOf(outcome, { output }) {
        if (output === undefined) return 'no result is documented';
        return outcome.status !== 'ok' || output.fits(outcome.data) !== false ? undefined : 'a success has another result';
      },
    },
    {
      id: 'contract/value-message',
      requirement: 'Every result has a message for people, and a failure has no value unless the tool attached one.',
      why: 'The model reads the message to change its plan, and must not take a default for a result.',
      fix: 'Say what happened in the text of the failure.',
      problemOf(outcome) {
        const result = value.encode(outcome, strict);
        if (result.message.trim() === '') return 'the message is empty';
        const attached = outcome.status === 'error' && outcome.data === undefined && result.value !== null;
        return attached ? 'a failure has a value that the tool did not attach' : undefined;
      },
    },
  ],
  status: [
    {
      id: 'contract/status-input',
      requirement: 'Every answer repeats its input.',
      why: 'The envelope has `input` in both arms; graphs read it from there.',
      fix: 'Leave echoInput on.',
      problemOf: ({ input }) => (input === undefined ? 'an answer has no input' : undefined),
    },
    {
      id: 'contract/status-arms',
      requirement: 'Every answer is one of the two arms, with one of the six types where it failed.',
      why: 'Parsers tell the arms apart by `status`, and branch on the type.',
      fix: 'Fail with a kind of the catalogue.',
      problemOf(outcome) {
        const written = status.encode(outcome, strict);
        if (!Number.isSafeInteger(written.meta.took_ms) || written.meta.took_ms < 0) return 'took_ms is no count of milliseconds';
        return written.status === 'ok' || types.has(written.error.type) ? undefined : `the type ${written.error.type} is not documented`;
      },
    },
  ],
  genAi001: [
    {
      id: 'contract/error-type',
      requirement: 'Every failure has an `error.type`: 400 for refused arguments, `timeout` for a deadline.',
      why: 'Telemetry groups failures by it.',
      fix: 'Throw a ToolExecutionError with an errorType that is short and plain, or leave it to the classification.',
      async problemOf(outcome) {
        if (outcome.status !== 'error' || outcome.error.kind === 'denied' || outcome.error.kind === 'cancelled') return undefined;
        // Loaded when needed: telemetry needs a package that checks do not.
        const { toolErrorType } = await import('@toolpact/origins/error-type');
        const type = toolErrorType(outcome.error);
        if (type === undefined) return 'a failure has no error.type';
        const { kind, errorType } = outcome.error;
        if (errorType !== undefined && errorType !== type) return `the stated type "${errorType}" cannot be a label`;
        return kind === 'timeout' && errorType === undefined && type !== 'timeout' ? `a deadline has the type ${type}` : undefined;
      },
    },
  ],
};

/** The checks of each contract. */
export const contractChecks = Object.fromEntries(
  Object.entries(demands).map(([name, list]) => [name, list.map(toCheck)]),
) as unknown as Readonly<Record<ContractName, readonly ToolCheck[]>>;

function toCheck({ problemOf, ...about }: Demand): ToolCheck {
  return defineToolCheck({
    ...about,
    group: 'output',
    async *run(trial) {
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary', 'invalid', 'hostile'])).filter(
        // A tool that did not run says nothing by its success.
        ({ isFaked, outcome }) => !isFaked || outcome.status === 'error',
      );
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        const message = await problemOf(outcome, trial);
        if (message !== undefined) yield { message, evidence: { input: clip(input.args) } };
      }
      return undefined;
    },
  });
}

function nameIn(outcome: Outcome, names: readonly string[]): string | undefined {
  const data = outcome.status === 'ok' || outcome.status === 'partial' ? outcome.data : undefined;
  const found = isRecord(data) ? names.find((name) => Object.hasOwn(data, name)) : undefined;
  return found === undefined ? undefined : `a result has a field named ${found}`;
}
