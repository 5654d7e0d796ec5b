import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';

/** Opens and closes what stands below it. */
export function FoldButton({ isOpen, children }: { readonly isOpen: Signal<boolean>; readonly children: ComponentChildren }): JSX.Element {
  return (
    <button
      type="button"
      class="tree-fold"
      aria-expanded={isOpen.value}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <Icon name={isOpen.value ? 'down' : 'right'} size={12} />
      {children}
    </button>
  );
}
