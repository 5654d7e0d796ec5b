import type { JSX } from 'preact';
import type { ServerFacts } from '../api/api-shapes.ts';

interface FaultChoiceProps {
  readonly faults: ServerFacts['faults'];
  readonly fault: string;
  readonly onChange: (fault: string) => void;
}

/** Chooses the fault that is injected into a call. */
export function FaultChoice({ faults, fault, onChange }: FaultChoiceProps): JSX.Element {
  return (
    <label class="field">
      <span class="field-label">Fault</span>
      <span class="field-about">Injects one fault into this call.</span>
      <select value={fault} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">no fault</option>
        {faults.map(({ name, description }) => (
          <option key={name} value={name}>
            {`${name}: ${description.replace(/\.$/, '')}`}
          </option>
        ))}
      </select>
    </label>
  );
}
