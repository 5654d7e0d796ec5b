import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonObject, JsonValue, Pending } from 'toolpact';
import { firstValue } from '../form/first-value.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { showHidden } from '../words/show-hidden.ts';
import { sendForOutcome } from './call-tool.ts';

interface AnswerInputProps {
  readonly pending: Pending;
  readonly onAnswered: () => void;
}

const anything: JsonObject = {};

/** Answers a call that waits for an input, in a form made from the schema it asks for. */
export function AnswerInput({ pending, onAnswered }: AnswerInputProps): JSX.Element {
  const schema = pending.ask?.schema ?? anything;
  const value = useSignal<JsonValue>(firstValue(schema, schema));
  const problem = useSignal('');
  const answer = async (): Promise<void> => {
    try {
      await sendForOutcome(`v1/pending/${encodeURIComponent(pending.handle)}`, { data: value.value });
      onAnswered();
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  return (
    <form
      class="composer"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void answer();
      }}
    >
      {pending.ask && <p>{showHidden(pending.ask.message)}</p>}
      <SchemaForm
        schema={schema}
        value={value.value}
        issues={new Map()}
        onChange={(changed) => {
          value.value = changed ?? null;
        }}
      />
      <Problem text={problem.value} />
      <div class="composer-end">
        <button type="submit" class="main">
          Send answer
        </button>
      </div>
    </form>
  );
}
