import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { decide } from '../state/approvals-store.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';

interface DecisionProps {
  readonly handle: string;
  /** What is decided about, for screen readers. */
  readonly what: string;
  readonly onDecided?: (decision: 'approve' | 'deny') => void;
}

/** Lets a person allow or deny a call, with a reason that the model reads too. */
export function Decision({ handle, what, onDecided }: DecisionProps): JSX.Element {
  const id = useId();
  const reason = useSignal('');
  const busy = useSignal('');
  const problem = useSignal('');
  const choose = async (decision: 'approve' | 'deny'): Promise<void> => {
    busy.value = decision;
    problem.value = '';
    try {
      await decide(handle, decision, reason.value);
      onDecided?.(decision);
    } catch (error) {
      problem.value = errorText(error);
    }
    busy.value = '';
  };
  return (
    <div class="decision">
      <label class="unseen" for={id}>{`Reason for ${what}`}</label>
      <input
        id={id}
        placeholder="Reason (optional)"
        maxLength={2000}
        value={reason.value}
        onInput={({ currentTarget }) => {
          reason.value = currentTarget.value;
        }}
      />
      <button type="button" class="main" disabled={busy.value !== ''} onClick={() => void choose('approve')}>
        <Icon name="ok" size={14} />
        Approve
        <span class="unseen">{what}</span>
      </button>
      <button type="button" class="danger" disabled={busy.value !== ''} onClick={() => void choose('deny')}>
        <Icon name="close" size={14} />
        Deny
        <span class="unseen">{what}</span>
      </button>
      <Problem text={problem.value} />
    </div>
  );
}
