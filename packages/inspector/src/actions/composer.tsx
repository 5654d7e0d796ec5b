import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonValue, Outcome } from 'toolpact';
import type { ListedTool } from '../api/api-shapes.ts';
import { firstValue } from '../form/first-value.ts';
import { serverFacts } from '../state/server-facts.ts';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { effectsWords } from '../words/outcome-words.ts';
import { ArgumentsEditor, useArguments } from './arguments-editor.tsx';
import { callTool } from './call-tool.ts';
import { FaultChoice } from './fault-choice.tsx';
import { SubmitCall } from './submit-call.tsx';

interface ComposerProps {
  readonly tool: ListedTool;
  /** The initial arguments; by default an example of the tool, or the smallest value of its schema. */
  readonly args?: JsonValue | undefined;
  /** Whether it is there to break the tool: then the choice of a fault comes first. */
  readonly breaks?: boolean;
  /** Whether the call waits for an approval anyway, so that nobody has to be asked before. */
  readonly alwaysAsks?: boolean | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** A form that calls a tool. Raw JSON is one click away; a tool that writes asks first. */
export function Composer({ tool, args, breaks = false, alwaysAsks = false, onOutcome }: ComposerProps): JSX.Element {
  const edited = useArguments(args ?? tool.examples[0]?.input ?? firstValue(tool.inputSchema, tool.inputSchema));
  const { value, problem, readRaw } = edited;
  const key = useSignal('');
  const fault = useSignal(breaks ? (serverFacts.value?.faults[0]?.name ?? '') : '');
  const issues = useSignal<ReadonlyMap<string, string>>(new Map());
  const step = useSignal<'edit' | 'ask' | 'run'>('edit');
  const faults = serverFacts.value?.dev ? serverFacts.value.faults : [];
  const mayWrite = effectsWords(tool.effects).tone === 'warn' && !alwaysAsks;
  const backToEdit = (): void => {
    step.value = 'edit';
  };

  const run = async (): Promise<void> => {
    step.value = 'run';
    problem.value = '';
    try {
      const outcome = await callTool(tool.name, value.value, { key: key.value || undefined, fault: fault.value || undefined });
      issues.value = new Map(
        outcome.status === 'error' ? (outcome.error.issues ?? []).map(({ path, message }) => [path.join('.'), message]) : [],
      );
      onOutcome(outcome);
    } catch (error) {
      problem.value = errorText(error);
    }
    step.value = 'edit';
  };
  const chooser = (
    <FaultChoice
      faults={faults}
      fault={fault.value}
      onChange={(name) => {
        fault.value = name;
      }}
    />
  );
  return (
    <form
      class="composer"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!readRaw()) return;
        if (mayWrite && step.value === 'edit') step.value = 'ask';
        else void run();
      }}
    >
      {breaks && chooser}
      <ArgumentsEditor schema={tool.inputSchema} args={edited} issues={issues.value} onEdit={backToEdit} />
      <KeyField idempotencyKey={key} />
      {!breaks && faults.length > 0 && (
        <details class="composer-more">
          <summary>Inject a fault</summary>
          {chooser}
        </details>
      )}
      <Problem text={problem.value} />
      <SubmitCall tool={tool.name} step={step.value} breaks={fault.value !== ''} onDecline={backToEdit} />
    </form>
  );
}

function KeyField({ idempotencyKey }: { readonly idempotencyKey: Signal<string> }): JSX.Element {
  return (
    <details class="composer-more">
      <summary>Idempotency key</summary>
      <label class="field">
        <span class="field-about">A known key returns the first outcome, and the tool does not run again.</span>
        <span class="unseen">Idempotency key</span>
        <input
          value={idempotencyKey.value}
          autoComplete="off"
          onInput={({ currentTarget }) => {
            idempotencyKey.value = currentTarget.value;
          }}
        />
      </label>
    </details>
  );
}
