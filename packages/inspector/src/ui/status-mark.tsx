import type { JSX } from 'preact';
import type { CallStatus } from '../api/api-shapes.ts';
import { statusText } from '../words/outcome-words.ts';
import { Icon } from './icon.tsx';

/** Shows how a call stands by colour, shape and, for screen readers, a word. */
export function StatusMark({ status, large = false }: { readonly status: CallStatus; readonly large?: boolean }): JSX.Element {
  const { text, tone } = statusText(status);
  return (
    <span class={`mark tone-${tone}${large ? ' mark-large' : ''}`} title={text}>
      <Icon name={status} size={large ? 18 : 12} />
      <span class="unseen">{text}</span>
    </span>
  );
}
