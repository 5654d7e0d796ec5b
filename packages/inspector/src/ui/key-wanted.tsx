import type { JSX } from 'preact';
import { keyWanted } from '../api/ask-server.ts';
import { Empty } from './empty.tsx';

/** Stands in the place of a page while the server refuses to say anything without a credential. */
export function KeyWanted({ onKey }: { readonly onKey: () => void }): JSX.Element {
  return (
    <div role="alert">
      <Empty icon="key" isPage title={keyWanted}>
        <button type="button" class="main" onClick={onKey}>
          Enter key
        </button>
      </Empty>
    </div>
  );
}
