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
      <p>{`${tool} writes. Calling it again may repeat what it did.`}</p>
      <div class="composer-end">
        <button type="button" class="main" onClick={() => onCall()}>
          Call again
        </button>
        {key !== undefined && (
          <button type="button" onClick={() => onCall(key)} title="Returns the first outcome instead of running again">
            Call with the same key
          </button>
        )}
      </div>
    </Dialog>
  );
}
