import type { JSX } from 'preact';
import { connection } from '../state/connection.ts';
import { Icon } from './icon.tsx';

const texts = {
  lost: 'Cannot reach the server. Reconnecting…',
  stalled: 'The store of the server does not answer. New calls appear when it does.',
} as const;

/** Says what is wrong with the connection. It lies above the page, so that nothing moves when it comes and goes. */
export function Banner(): JSX.Element | null {
  const { value: state } = connection;
  if (state !== 'lost' && state !== 'stalled') return null;
  return (
    <div class="banner tone-bad" role="alert">
      <Icon name="plug" />
      <span>{texts[state]}</span>
    </div>
  );
}
