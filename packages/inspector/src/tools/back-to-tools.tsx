import type { JSX } from 'preact';
import { toHash } from '../state/route.ts';
import { Icon } from '../ui/icon.tsx';

/** The way back to the list, where the window is too narrow to show both. */
export function BackToTools(): JSX.Element {
  return (
    <a class="button quiet square tool-back" href={toHash('tools')}>
      <Icon name="back" />
      <span class="unseen">Back to the tools</span>
    </a>
  );
}
