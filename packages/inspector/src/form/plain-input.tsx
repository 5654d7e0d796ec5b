import type { JSX } from 'preact';
import type { JsonValue } from 'toolpact';
import { showHidden } from '../words/show-hidden.ts';
import type { FieldProps } from './field-props.ts';
import type { Field } from './to-field.ts';

interface PlainInputProps extends FieldProps {
  readonly field: Exclude<Field, { type: 'object' | 'array' | 'union' }>;
  readonly id?: string;
  readonly describedBy?: string | undefined;
}

/** Enters a value that holds no others. Inputs keep what is typed themselves, so that a half-typed number is not changed under the hands. */
export function PlainInput({ field, id, describedBy, value, isOptional, onChange, path, issues }: PlainInputProps): JSX.Element {
  const common = {
    id,
    name: path,
    'aria-describedby': describedBy,
    'aria-invalid': issues.has(path) || undefined,
    'aria-label': id ? undefined : path,
  };
  if (field.type === 'boolean' || field.type === 'choice') {
    const choices = field.type === 'boolean' ? [true, false] : field.choices;
    return (
      <select
        {...common}
        value={value === undefined ? '' : String(choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value)))}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : choices[Number(currentTarget.value)])}
      >
        {(isOptional || value === undefined) && <option value="">not set</option>}
        {choices.map((choice, index) => (
          <option key={JSON.stringify(choice)} value={index}>
            {showHidden(typeof choice === 'string' ? choice : JSON.stringify(choice))}
          </option>
        ))}
      </select>
    );
  }
  const read = (text: string): JsonValue | undefined => {
    if (text === '' && (isOptional || field.type !== 'text')) return undefined;
    return field.type === 'text' ? text : readJson(text);
  };
  const shown = value === undefined ? '' : typeof value === 'string' && field.type !== 'raw' ? value : JSON.stringify(value);
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => onChange(read(currentTarget.value));
  if (field.type === 'raw' || (field.type === 'text' && (field.isLong || shown.includes('\n')))) {
    return (
      <textarea
        {...common}
        class={field.type === 'raw' ? 'mono' : ''}
        rows={3}
        defaultValue={shown}
        onInput={onInput}
        placeholder={field.type === 'raw' ? 'JSON' : ''}
      />
    );
  }
  const isNumber = field.type === 'number';
  return (
    <input
      {...common}
      type={(field.type === 'text' ? field.input : 'text') as 'text'}
      inputMode={isNumber ? (field.isInteger ? 'numeric' : 'decimal') : undefined}
      class={isNumber ? 'field-number' : ''}
      autoComplete="off"
      spellcheck={false}
      defaultValue={shown}
      onInput={onInput}
    />
  );
}

/** Sends text that is not JSON as it is: the server says what is wrong with it. */
function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
