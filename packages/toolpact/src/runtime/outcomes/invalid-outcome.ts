import { explainIssues, type StandardIssue } from '../../contract/index.ts';
import { pathText } from '../../json/index.ts';
import { type Issue, type JsonObject, type Outcome, type Redactor, withoutAbsent } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { failedOutcome, refusedOutcome } from './error-outcome.ts';

/** Builds the outcome of a call whose arguments break their schema: each issue with its path, and an example that works. */
export function invalidInput(call: Call, found: readonly StandardIssue[]): Outcome {
  const issues = explain(call, found, 'input', call.received);
  const listed = issues
    .slice(0, maxListed)
    .map(({ path, message, hint }) => `${pathText(path, 'arguments')} ${message}${hint === undefined ? '' : ` (${hint})`}`);
  const more = issues.length > maxListed ? `; and ${issues.length - maxListed} more` : '';
  const message = `Invalid arguments for ${call.plan.name}: ${listed.join('; ')}${more}.`;
  const { exampleText } = call.plan;
  const advice = exampleText === undefined ? undefined : `Change the arguments before trying again. Example: ${exampleText}`;
  return refusedOutcome(call, 'invalid_input', { message, advice, issues });
}

const maxListed = 8;

/** Builds the outcome of a call whose tool broke its own output schema. */
export function invalidOutput(call: Call, found: readonly StandardIssue[], data: unknown): Outcome {
  const issues = explain(call, found, 'output', data);
  const [first] = issues;
  const where = first === undefined ? '' : `: ${pathText(first.path, 'the result')} ${first.message}`;
  return failedOutcome(call, 'invalid_output', {
    message: `${call.plan.name} broke its own output schema${where}.`,
    issues,
  });
}

function explain(call: Call, found: readonly StandardIssue[], side: 'input' | 'output', value: unknown): readonly Issue[] {
  let schema: JsonObject | undefined;
  try {
    schema = call.plan.schemas()[side];
  } catch {
    // Explained without it.
  }
  try {
    const issues = explainIssues(found, schema, value);
    return Object.freeze(issues.map((issue) => redacted(issue, call.redactor)));
  } catch {
    return [{ path: [], problem: 'rule', message: 'was refused by its schema' }];
  }
}

/** Even the name of a field can be a secret that was put in the wrong place. */
function redacted(issue: Issue, redactor: Redactor): Issue {
  const { path, message, hint } = issue;
  return withoutAbsent({
    ...issue,
    path: Object.freeze(path.map((step) => (typeof step === 'string' ? redactor.text(step) : step))),
    message: redactor.text(message),
    hint: hint === undefined ? undefined : redactor.text(hint),
  });
}
