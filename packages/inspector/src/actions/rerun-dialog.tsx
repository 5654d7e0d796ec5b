import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { StepTrace } from '../api/api-shapes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { showHidden } from '../words/show-hidden.ts';

interface RerunDialogProps {
  readonly steps: readonly StepTrace[];
  readonly onRun: (step: string) => void;
  readonly onClose: () => void;
}

/** Asks from which step a failed call runs again; the step that failed is chosen at first. */
export function RerunDialog({ steps, onRun, onClose }: RerunDialogProps): JSX.Element {
  const names = [...new Set(steps.map(({ step }) => step))];
  const from = useSignal(steps.find(({ status }) => status !== 'ok')?.step ?? names.at(-1) ?? '');
  return (
    <Dialog title="Run again from a step" onClose={onClose}>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          onRun(from.value);
        }}
      >
        <label class="field">
          <span class="field-label">Start at step</span>
          <select
            value={from.value}
            onChange={({ currentTarget }) => {
              from.value = currentTarget.value;
            }}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {showHidden(name)}
              </option>
            ))}
          </select>
        </label>
        <p class="section-note">
          Earlier steps keep their results. This step and later ones run again, except those that took effect, or may have.
        </p>
        <div class="composer-end">
          <button type="submit" class="main">
            Run again
          </button>
        </div>
      </form>
    </Dialog>
  );
}
