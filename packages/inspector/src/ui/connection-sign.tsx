import type { JSX } from 'preact';
import { type Connection, connection } from '../state/connection.ts';

const words = {
  connecting: ['Connecting', 'calm'],
  live: ['Live', 'good'],
  stalled: ['Store down', 'bad'],
  lost: ['Reconnecting', 'bad'],
  refused: ['Needs a key', 'warn'],
  off: ['Calls not recorded', 'calm'],
} as const satisfies Record<Connection, readonly [string, string]>;

/** Says whether what is shown is live. */
export function ConnectionSign(): JSX.Element {
  const [text, tone] = words[connection.value];
  return (
    <span class={`sign tone-${tone} sign-${connection.value}`} role="status">
      <span class="sign-dot" aria-hidden="true" />
      <span class="sign-text">{text}</span>
    </span>
  );
}
