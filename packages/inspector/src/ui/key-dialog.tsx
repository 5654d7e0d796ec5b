import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ApiError, askServer, credential } from '../api/ask-server.ts';
import { errorText } from '../words/error-text.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Takes an API key or a token. It stays in the memory of the page and is forgotten by a reload. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const given = useSignal(credential.value);
  const problem = useSignal('');
  const busy = useSignal(false);
  const use = async (): Promise<void> => {
    const before = credential.value;
    busy.value = true;
    credential.value = given.value.trim();
    try {
      await askServer('v1/tools?limit=1');
      onClose();
    } catch (error) {
      credential.value = before;
      const isWrong = error instanceof ApiError && error.status === 401;
      problem.value = isWrong ? 'The server does not accept this key.' : errorText(error);
    }
    busy.value = false;
  };
  return (
    <Dialog title="API key or token" onClose={onClose}>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void use();
        }}
      >
        <label class="field">
          <span class="field-about">Kept in the memory of this page only; a reload forgets it.</span>
          <span class="unseen">API key or token</span>
          <input
            type="password"
            autoComplete="off"
            spellcheck={false}
            value={given.value}
            onInput={({ currentTarget }) => {
              given.value = currentTarget.value;
            }}
          />
        </label>
        <Problem text={problem.value} />
        <div class="composer-end">
          <button type="submit" class="main" disabled={busy.value}>
            Use key
          </button>
          {credential.value !== '' && (
            <button
              type="button"
              onClick={() => {
                credential.value = '';
                onClose();
              }}
            >
              Forget key
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
