import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonValue, Outcome } from '../../../core/outcome/index.ts';
import type { ListedTool } from '../api/api-shapes.ts';
import { firstValue } from '../form/first-value.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { serverFacts } from '../state/server-facts.ts';
import { Icon } from '../ui/icon.tsx';
import { effectsWords } from '../words/outcome-words.ts';
import { callTool } from './call-tool.ts';
import { FaultChoice } from './fault-choice.tsx';

interface ComposerProps {
  readonly tool: ListedTool;
  /** What the form begins with; without it an example of the tool, or the smallest value of its schema. */
  readonly args?: JsonValue | undefined;
  /** Whether it is there to break the tool: then the choice of a fault comes first. */
  readonly breaks?: boolean;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** A form that calls a tool. Raw JSON is one click away; a tool that writes asks first. */
export function Composer({ tool, args, breaks = false, onOutcome }: ComposerProps): JSX.Element {
  const value = useSignal<JsonValue>(args ?? tool.examples[0]?.input ?? firstValue(tool.inputSchema, tool.inputSchema));
  const raw = useSignal<string | undefined>(undefined);
  const key = useSignal('');
  const fault = useSignal(breaks ? (serverFacts.value?.faults[0]?.name ?? '') : '');
  const problem = useSignal('');
  const issues = useSignal<ReadonlyMap<string, string>>(new Map());
  const step = useSignal<'edit' | 'ask' | 'run'>('edit');
  const confirm = useRef<HTMLButtonElement>(null);
  const faults = serverFacts.value?.dev ? serverFacts.value.faults : [];
  const writes = effectsWords(tool.effects).tone === 'warn';
  useEffect(() => {
    if (step.value === 'ask') confirm.current?.focus();
  }, [step.value]);

  const readRaw = (): boolean => {
    if (raw.value === undefined) return true;
    try {
      value.value = JSON.parse(raw.value) as JsonValue;
      problem.value = '';
      return true;
    } catch (error) {
      problem.value = `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
      return false;
    }
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
      problem.value = error instanceof Error ? error.message : String(error);
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
        if (writes && step.value === 'edit') step.value = 'ask';
        else void run();
      }}
    >
      {breaks && chooser}
      <div class="composer-head">
        <span class="section-note">Arguments</span>
        <button
          type="button"
          class="quiet"
          aria-pressed={raw.value !== undefined}
          onClick={() => {
            if (raw.value === undefined) raw.value = JSON.stringify(value.value, null, 2);
            else if (readRaw()) raw.value = undefined;
          }}
        >
          {raw.value === undefined ? 'Edit as JSON' : 'Edit as a form'}
        </button>
      </div>
      {raw.value === undefined ? (
        <SchemaForm
          schema={tool.inputSchema}
          value={value.value}
          issues={issues.value}
          onChange={(changed) => {
            value.value = changed ?? {};
            step.value = 'edit';
          }}
        />
      ) : (
        <textarea
          class="composer-raw mono"
          aria-label="Arguments as JSON"
          spellcheck={false}
          value={raw.value}
          onInput={({ currentTarget }) => {
            raw.value = currentTarget.value;
            step.value = 'edit';
          }}
        />
      )}
      <details class="composer-more">
        <summary>Idempotency key</summary>
        <label class="field">
          <span class="field-about">The same key answers with the first outcome instead of running again.</span>
          <span class="unseen">Idempotency key</span>
          <input
            value={key.value}
            autoComplete="off"
            onInput={({ currentTarget }) => {
              key.value = currentTarget.value;
            }}
          />
        </label>
      </details>
      {!breaks && faults.length > 0 && (
        <details class="composer-more">
          <summary>Break it on purpose</summary>
          {chooser}
        </details>
      )}
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="composer-end">
        {step.value === 'ask' ? (
          <>
            <span class="composer-ask" role="alert">
              <Icon name="partial" size={14} />
              {`${tool.name} changes the outside world. Call it?`}
            </span>
            <button type="submit" class="main" ref={confirm}>
              Yes, call it
            </button>
            <button
              type="button"
              onClick={() => {
                step.value = 'edit';
              }}
            >
              No
            </button>
          </>
        ) : (
          <button type="submit" class="main" disabled={step.value === 'run'}>
            <Icon name={step.value === 'run' ? 'running' : fault.value ? 'bolt' : 'play'} size={14} />
            {step.value === 'run' ? 'Calling…' : fault.value ? `Break ${tool.name}` : `Call ${tool.name}`}
          </button>
        )}
      </div>
    </form>
  );
}
