import type { ComponentChildren, JSX } from 'preact';
import type { Tone } from '../words/outcome-words.ts';

interface ChipProps {
  readonly tone?: Tone;
  /** The exact word of the contract behind the plain ones. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** Shows one fact in a few words. */
export function Chip({ tone = 'calm', title, children }: ChipProps): JSX.Element {
  return (
    <span class={`chip tone-${tone}`} title={title}>
      {children}
    </span>
  );
}
