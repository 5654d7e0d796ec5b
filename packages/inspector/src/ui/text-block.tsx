import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { showHidden } from '../words/show-hidden.ts';
import { CopyButton } from './copy-button.tsx';

/** How many characters are drawn at once. */
const most = 4_000;

/** Shows a text as it is, with a button that copies it. */
export function TextBlock({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const isWhole = useSignal(false);
  const shown = isWhole.value || text.length <= most ? text : text.slice(0, most);
  return (
    <div class="block">
      <pre dir="auto">{showHidden(shown)}</pre>
      <span class="block-end">
        <CopyButton text={() => text} what={what} />
      </span>
      {shown.length < text.length && (
        <button
          type="button"
          class="tree-more"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {`Show ${(text.length - shown.length).toLocaleString('en')} more characters`}
        </button>
      )}
    </div>
  );
}
