import type { JSX } from 'preact';

/** Says that something is being loaded; at once to screen readers, and a little later on the page, so that what comes quickly does not flicker. */
export function Waiting({ text = 'Loading…' }: { readonly text?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  );
}
