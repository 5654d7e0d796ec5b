import type { JSX } from 'preact';
import type { Outcome } from 'toolpact';
import type { ListedTool, RecordedCall } from '../api/api-shapes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Composer } from './composer.tsx';

interface EditCallDialogProps {
  readonly call: RecordedCall;
  readonly tool: ListedTool;
  /** Whether the call is there to break the tool. */
  readonly breaks: boolean;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/** Calls a tool again with arguments that a person changes first, or with a fault. */
export function EditCallDialog({ call, tool, breaks, onOutcome, onClose }: EditCallDialogProps): JSX.Element {
  return (
    <Dialog wide title={breaks ? `Call ${call.tool} with a fault` : `Edit and call ${call.tool}`} onClose={onClose}>
      {!call.isWhole && <p class="section-note">In the stored arguments, secrets are redacted and large parts cut. Complete them first.</p>}
      <Composer tool={tool} args={call.input} breaks={breaks} onOutcome={onOutcome} />
    </Dialog>
  );
}
