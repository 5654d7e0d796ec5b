import type { JSX } from 'preact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { Dialog } from '../ui/dialog.tsx';

interface CallAgainDialogProps {
  readonly call: RecordedCall;
  /** Calls the tool again, with the same idempotency key where one is given. */
  readonly onCall: (key?: string) => void;
  readonly onClose: () => void;
}

/** Asks before a tool that writes is called again. */
export function CallAgainDialog({ call: { tool, key }, onCall, onClose }: CallAgainDialogProps): JSX.Element {
  return (
    <Dialog title={`Call ${tool} again?`} onClose={onClose}>
      <p>{`${tool} changes the outside world. Calling it again may change it a second time.`}</p>
      <div class="composer-end">
        <button type="button" class="main" onClick={() => onCall()}>
          Call it again
        </button>
        {key !== undefined && (
          <button type="button" onClick={() => onCall(key)} title="Answers with the first outcome instead of running again">
            With the same key
          </button>
        )}
      </div>
    </Dialog>
  );
}
