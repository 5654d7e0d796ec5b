import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonObject, JsonValue } from 'toolpact';
import { SchemaForm } from '../form/schema-form.tsx';
import { errorText } from '../words/error-text.ts';

/** Arguments while they are edited. */
interface EditedArguments {
  readonly value: Signal<JsonValue>;
  /** The arguments as text while they are edited as JSON; undefined while they are edited in a form. */
  readonly raw: Signal<string | undefined>;
  /** The problem with the arguments as a whole, or with the last action; empty if there is none. */
  readonly problem: Signal<string>;
  /** Takes the text over as the value; false where it is no JSON. */
  readonly readRaw: () => boolean;
}

/** Begins to edit arguments. */
export function useArguments(initial: JsonValue): EditedArguments {
  const value = useSignal(initial);
  const raw = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  const readRaw = (): boolean => {
    if (raw.value === undefined) return true;
    try {
      value.value = JSON.parse(raw.value) as JsonValue;
      problem.value = '';
      return true;
    } catch (error) {
      problem.value = `This is not JSON: ${errorText(error)}`;
      return false;
    }
  };
  return { value, raw, problem, readRaw };
}

interface ArgumentsEditorProps {
  readonly schema: JsonObject;
  readonly args: EditedArguments;
  /** Validation errors of the fields, by path. */
  readonly issues: ReadonlyMap<string, string>;
  readonly onEdit: () => void;
}

/** Edits the arguments of a call in a form or as raw JSON. */
export function ArgumentsEditor({ schema, args: { value, raw, readRaw }, issues, onEdit }: ArgumentsEditorProps): JSX.Element {
  return (
    <>
      <div class="composer-head">
        <span class="section-note">Arguments</span>
        <button
          type="button"
          aria-pressed={raw.value !== undefined}
          onClick={() => {
            if (raw.value === undefined) raw.value = JSON.stringify(value.value, null, 2);
            else if (readRaw()) raw.value = undefined;
          }}
        >
          {raw.value === undefined ? 'Edit as JSON' : 'Edit as form'}
        </button>
      </div>
      {raw.value === undefined ? (
        <SchemaForm
          schema={schema}
          value={value.value}
          issues={issues}
          onChange={(changed) => {
            value.value = changed ?? {};
            onEdit();
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
            onEdit();
          }}
        />
      )}
    </>
  );
}
