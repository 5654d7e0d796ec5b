import type { JSX } from 'preact';
import type { JsonObject, JsonValue } from 'toolpact';
import type { Approval } from '../api/api-shapes.ts';
import { tools } from '../state/tools-store.ts';
import { Icon } from '../ui/icon.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { ArgumentsEditor, useArguments } from './arguments-editor.tsx';

interface EditedApprovalProps {
  readonly approval: Approval;
  readonly isBusy: boolean;
  readonly onApprove: (input: JsonValue) => void;
}

/** Lets a person change the arguments of a call, and shows what differs before it is approved so. */
export function EditedApproval({ approval, isBusy, onApprove }: EditedApprovalProps): JSX.Element {
  const edited = useArguments(approval.input);
  const { value, problem, readRaw } = edited;
  const schema = tools.value?.find(({ name }) => name === approval.tool)?.inputSchema ?? anyObject;
  const changes = changesOf(approval.input, value.value);
  return (
    <div class="decision-form">
      <ArgumentsEditor schema={schema} args={edited} issues={noIssues} onEdit={() => void readRaw()} />
      {changes.length > 0 && (
        <ul class="diff mono" aria-label="Changes">
          {changes.flatMap(({ name, before, after }) => [
            before !== undefined && <li class="diff-out">{showHidden(`- ${name}: ${before}`)}</li>,
            after !== undefined && <li class="diff-in">{showHidden(`+ ${name}: ${after}`)}</li>,
          ])}
        </ul>
      )}
      {problem.value !== '' && <p class="section-note">{problem.value}</p>}
      <button
        type="button"
        class="main"
        disabled={isBusy || changes.length === 0 || problem.value !== ''}
        onClick={() => readRaw() && onApprove(value.value)}
      >
        <Icon name="ok" size={14} />
        Approve with these changes
      </button>
    </div>
  );
}

const anyObject: JsonObject = { type: 'object' };
const noIssues: ReadonlyMap<string, string> = new Map();

function changesOf(before: JsonValue, after: JsonValue) {
  const [one, other] = [Object(before), Object(after)] as Readonly<Record<string, JsonValue>>[];
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return names
    .map((name) => ({ name, before: textOf(one?.[name]), after: textOf(other?.[name]) }))
    .filter((change) => change.before !== change.after);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
