import type { Outcome } from 'toolpact';
import { defaultRedactor, everyPart, isObject } from 'toolpact/internal';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { type Answered, answered, notRun } from './tool-input-checks.ts';
import type { ToolTrial } from './tool-trial.ts';

const everything = ['example', 'valid', 'boundary', 'invalid', 'hostile'] as const;
const stacks =
  /\n\s*at .{1,300}:\d+:\d+|\bat (?:async )?[\w.<>$ ]+ \((?:file:|node:|\/|[A-Z]:\\)[^)]{1,300}:\d+:\d+\)|Traceback \(most recent call last\)|\n\s*File "[^"]{1,300}", line \d+|\bat [\w.$]+\([\w]+\.java:\d+\)|goroutine \d+ \[/;

/** Checks for what must not be in an answer. */
export const toolSecretChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/no-stack',
    group: 'secrets',
    requirement: 'No answer carries a stack trace.',
    why: 'It shows an attacker how the machine is built, and does not help the model.',
    fix: 'Let the tool throw and the runtime answer; keep the cause in the log, under the debug id.',
    async *run(trial) {
      const exchanges = await real(trial);
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        const given = textOf(input.args);
        const texts = stringsOf(outcome);
        const stack = texts.map((text) => stacks.exec(text)?.[0]).find((found) => found !== undefined && !given.includes(found.trim()));
        if (stack !== undefined)
          yield { message: 'an answer carries a stack trace', evidence: { title: input.title, found: stack.trim().slice(0, 120) } };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/no-secrets',
    group: 'secrets',
    requirement: 'No answer carries a credential: not one the caller gave, not one of the environment, nothing that looks like one.',
    why: 'Answers are read by a model, which may repeat them to anybody, and are kept in histories and logs.',
    fix: 'Do not put credentials or configuration into results or messages; name them in redact of createToolbox if they look like nothing known.',
    async *run(trial) {
      const exchanges = await real(trial);
      if (exchanges.length === 0) return notRun(trial);
      const known = Object.entries({ ...trial.options.secrets, 'the credential given to the call': trial.canary });
      for (const { input, outcome } of exchanges) {
        const given = textOf(input.args);
        const texts = stringsOf(outcome);
        for (const [name, secret] of known) {
          // Only its name is shown: a report is read by many.
          if (secret.length >= 8 && texts.some((text) => text.includes(secret)) && !given.includes(secret))
            yield { message: `an answer carries ${name}`, evidence: { title: input.title } };
        }
        const fields = outcome.status === 'ok' ? secretFields(outcome.data, defaultRedactor.value(outcome.data)) : [];
        for (const field of new Set(fields))
          yield { message: `a result has a field "${field}", which is named like a credential`, evidence: { title: input.title } };
        const look = texts.find((text) => hides(text) && !given.includes(text));
        if (look !== undefined)
          yield {
            message: 'an answer carries what looks like a credential',
            evidence: { title: input.title, found: defaultRedactor.text(look).slice(0, 120) },
          };
      }
      return undefined;
    },
  }),
];

async function real(trial: ToolTrial): Promise<readonly Answered[]> {
  return (await answered(trial, everything)).filter(({ isFaked }) => !isFaked);
}

/** All texts of an answer but the arguments it repeats. */
function stringsOf({ input: _, ...outcome }: Outcome): string[] {
  const found: string[] = [];
  const take = (part: unknown): boolean => typeof part !== 'string' || found.push(part) > 0;
  everyPart(outcome, take, 40);
  return found;
}

/** Names the fields of a result that a redactor hides for their name alone. */
function secretFields(value: unknown, clean: unknown, name = ''): string[] {
  if (typeof value === 'string') return clean === '[redacted]' && value !== clean && value.length >= 8 && !hides(value) ? [name] : [];
  if (!isObject(value) || !isObject(clean)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretFields(item, (clean as Record<string, unknown>)[key], key));
}

function hides(text: string): boolean {
  return count(defaultRedactor.text(text)) > count(text);
}

function count(text: string): number {
  return text.split('[redacted]').length;
}

function textOf(args: unknown): string {
  return `${typeof args === 'string' ? args : ''}${JSON.stringify(args) ?? ''}`;
}
