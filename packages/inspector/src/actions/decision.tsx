import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Approval } from '../api/api-shapes.ts';
import { type DecisionExtras, decide } from '../state/approvals-store.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { EditedApproval } from './edited-approval.tsx';
import { GrantForm } from './grant-form.tsx';

interface DecisionProps {
  readonly handle: string;
  /** The approval, where it is known: then arguments can be changed, and further calls allowed. */
  readonly approval?: Approval | undefined;
  /** The subject of the decision, for screen readers. */
  readonly what: string;
  readonly onDecided?: (decision: 'approve' | 'deny') => void;
}

/** Lets a person allow or deny a call, with a reason that the model reads too. */
export function Decision({ handle, approval, what, onDecided }: DecisionProps): JSX.Element {
  const id = useId();
  const reason = useSignal('');
  const busy = useSignal('');
  const problem = useSignal('');
  const mode = useSignal<'' | 'edit' | 'grant'>('');
  const isWhole = approval !== undefined && (approval.redactions ?? 0) + (approval.cuts ?? 0) === 0;
  // A grant is for the calls of one run, session or user.
  const mayGrant =
    approval !== undefined &&
    approval.grants !== false &&
    [approval.runId, approval.sessionId, approval.userId].some((id) => id !== undefined);
  const choose = async (decision: 'approve' | 'deny', extras: DecisionExtras = {}): Promise<void> => {
    busy.value = decision;
    problem.value = '';
    try {
      await decide(handle, decision, reason.value, extras);
      onDecided?.(decision);
    } catch (error) {
      problem.value = errorText(error);
    }
    busy.value = '';
  };
  return (
    <div class="decision">
      <label class="unseen" for={id}>{`Reason: ${what}`}</label>
      <input
        id={id}
        placeholder="Reason (optional)"
        maxLength={2000}
        value={reason.value}
        onInput={({ currentTarget }) => {
          reason.value = currentTarget.value;
        }}
      />
      <button
        type="button"
        class="main"
        aria-label={`Approve: ${what}`}
        disabled={busy.value !== ''}
        onClick={() => void choose('approve')}
      >
        <Icon name="ok" size={14} />
        Approve
      </button>
      <button type="button" class="danger" aria-label={`Deny: ${what}`} disabled={busy.value !== ''} onClick={() => void choose('deny')}>
        <Icon name="close" size={14} />
        Deny
      </button>
      {isWhole && (
        <div class="decision-more">
          <Mode mode={mode} name="edit" text="Edit the arguments" />
          {mayGrant && <Mode mode={mode} name="grant" text="Allow similar calls" />}
        </div>
      )}
      {isWhole && mode.value === 'edit' && (
        <EditedApproval approval={approval} isBusy={busy.value !== ''} onApprove={(input) => void choose('approve', { input })} />
      )}
      {isWhole && mode.value === 'grant' && (
        <GrantForm approval={approval} isBusy={busy.value !== ''} onApprove={(grant) => void choose('approve', { grant })} />
      )}
      <Problem text={problem.value} />
    </div>
  );
}

interface ModeProps {
  readonly mode: Signal<'' | 'edit' | 'grant'>;
  readonly name: 'edit' | 'grant';
  readonly text: string;
}

/** Opens and closes one of the further ways to approve. */
function Mode({ mode, name, text }: ModeProps): JSX.Element {
  return (
    <button
      type="button"
      aria-expanded={mode.value === name}
      onClick={() => {
        mode.value = mode.value === name ? '' : name;
      }}
    >
      {text}
    </button>
  );
}
