import type { CallContext } from '../../contract/index.ts';
import { canonicalJson, cutText, isRecord, pathText } from '../../json/index.ts';
import type { Issue, JsonObject, JsonValue } from '../../outcome/index.ts';
import { type Approval, type GuardedToolbox, type InputChange, keyOf } from '../../ports/index.ts';
import { showArguments } from '../../runtime/index.ts';

/** Whether a call may run with the arguments that a person gave in place of its own. */
export type CheckedEdit = { readonly input: JsonObject } | { readonly issues: readonly Issue[] };

/**
 * Checks the arguments with which a person lets a call run. They must be exactly what the tool would get: what its schema or a redactor turns into
 * something else is refused, so that nothing runs that the person did not see.
 */
export async function checkEdit(
  toolbox: GuardedToolbox,
  approval: Approval,
  given: unknown,
  context: CallContext,
  maxCharacters: number,
): Promise<CheckedEdit> {
  const { tool, input: asked, redactions = 0, cuts = 0 } = approval;
  if (!isRecord(given)) return refused('the arguments must be an object');
  if (redactions + cuts > 0) return refused('some of the arguments are hidden or cut, so that they cannot be changed here: deny the call');
  const checked = await toolbox.checkArguments(tool, given, context);
  if (checked === undefined) return refused(`this process does not have the tool ${tool}, so it cannot check them`);
  if ('refusal' in checked) return { issues: checked.refusal.issues ?? [toIssue([], checked.refusal.message)] };
  const shown = showArguments(checked.input, { redact: toolbox.redactValue, redactText: toolbox.redact }, maxCharacters);
  if (shown.redactions + shown.cuts > 0) return refused('they hold a secret, or more than can be shown');
  const other = toChanges(given as JsonObject, shown.input)[0];
  if (other !== undefined) return { issues: [toIssue(other.path, `the tool would get ${textOf(other.after)}`)] };
  const localTool = toolbox.find(tool);
  if (localTool?.idempotency?.key !== undefined) {
    const before = await toolbox.checkArguments(tool, asked, context);
    const keyFor = (input: unknown) => keyOf({ tool: localTool, input, context });
    // Under another key it would be another call, and an equal one would not find it.
    if (before === undefined || 'refusal' in before || keyFor(before.input) !== keyFor(checked.input))
      return refused('they would have another idempotency key: deny this call, and let the agent make the other one');
  }
  return { input: given as JsonObject };
}

/** Lists what is different between two values, by path. */
export function toChanges(before: JsonValue, after: JsonValue, path: readonly (string | number)[] = []): readonly InputChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => toChanges(item as JsonValue, after[index] as JsonValue, [...path, index]));
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const at = [...path, name];
    if (!Object.hasOwn(after, name)) return [{ path: at, before: before[name] as JsonValue }];
    if (!Object.hasOwn(before, name)) return [{ path: at, after: after[name] as JsonValue }];
    return toChanges(before[name] as JsonValue, after[name] as JsonValue, at);
  });
}

/** Says what a person changed, for the model. */
export function sayEdit({ by = 'The user', reason, changes = [] }: Pick<Approval, 'by' | 'reason' | 'changes'>): string {
  const listed = changes.slice(0, mostListed).map(sayChange);
  const more = changes.length > mostListed ? `, and ${changes.length - mostListed} more` : '';
  return `${by} changed the arguments before it ran: ${listed.join(', ')}${more}.${reason ? ` Reason given: ${reason}` : ''}`;
}

const mostListed = 8;

function sayChange({ path, before, after }: InputChange): string {
  const name = pathText(path, 'the arguments');
  if (before === undefined) return `${name} is ${textOf(after)} (it was not given)`;
  return after === undefined ? `${name} was removed` : `${name} is ${textOf(after)} instead of ${textOf(before)}`;
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : cutText(JSON.stringify(value), 100);
}

function refused(message: string): CheckedEdit {
  return { issues: [toIssue([], message)] };
}

function toIssue(path: Issue['path'], message: string): Issue {
  return { path, problem: 'rule', message };
}
