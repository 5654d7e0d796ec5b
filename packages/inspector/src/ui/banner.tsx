import type { JSX } from 'preact';
import { isRefused } from '../api/ask-server.ts';
import { connection } from '../state/connection.ts';
import { Icon } from './icon.tsx';

/** Says what is wrong with the connection. It lies above the page, so that nothing moves when it comes and goes. */
export function Banner({ onKey }: { readonly onKey: () => void }): JSX.Element | null {
  if (isRefused.value) {
    return (
      <div class="banner tone-warn" role="alert">
        <Icon name="key" />
        <span>This server requires an API key or token.</span>
        <button type="button" class="main" onClick={onKey}>
          Enter key
        </button>
      </div>
    );
  }
  if (connection.value !== 'lost') return null;
  return (
    <div class="banner tone-bad" role="alert">
      <Icon name="plug" />
      <span>Cannot reach the server. Reconnecting…</span>
    </div>
  );
}
