import type { JSX } from 'preact';
import { isRefused } from '../api/ask-server.ts';
import { connection } from '../state/connection.ts';
import { Icon } from './icon.tsx';

const texts = {
  lost: 'Cannot reach the server. Reconnecting…',
  stalled: 'The store of the server does not answer. New calls appear when it does.',
} as const;

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
  const { value: state } = connection;
  if (state !== 'lost' && state !== 'stalled') return null;
  return (
    <div class="banner tone-bad" role="alert">
      <Icon name="plug" />
      <span>{texts[state]}</span>
    </div>
  );
}
