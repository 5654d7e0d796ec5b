import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { showHidden } from '../words/show-hidden.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: () => string;
  /** The copied thing, for the label of a button without visible text. */
  readonly what: string;
  readonly small?: boolean;
  readonly label?: string;
}

/** Copies a text and says so. */
export function CopyButton({ text, what, small = false, label }: CopyButtonProps): JSX.Element {
  const done = useSignal<'' | 'Copied' | 'Not allowed'>('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      done.value = 'Copied';
    } catch {
      done.value = copyBySelection(text()) ? 'Copied' : 'Not allowed';
    }
    setTimeout(() => {
      done.value = '';
    }, 1500);
  };
  const name = `Copy ${showHidden(what)}`;
  return (
    <button type="button" class={`copy quiet${small ? ' copy-small' : ''}`} onClick={() => void copy()} title={name}>
      <Icon name={done.value === 'Copied' ? 'ok' : 'copy'} size={small ? 12 : 14} />
      {label !== undefined && done.value === '' ? (
        label
      ) : (
        <span class={small || label === undefined ? 'unseen' : ''}>{done.value || name}</span>
      )}
    </button>
  );
}

/** Pages without HTTPS have no clipboard; an old command of browsers works there. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  // Below the page it would make the page scroll.
  field.style.top = '0';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  return isDone;
}
