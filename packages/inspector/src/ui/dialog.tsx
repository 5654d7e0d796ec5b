import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** Shows something above the page until it is closed. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps): JSX.Element {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // The browser would choose the button that closes it.
    dialog?.querySelector<HTMLElement>('input, select, textarea, .main')?.focus();
    // A dialog that is only removed does not give the focus back.
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; the browser does that.
    <dialog
      ref={element}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) element.current?.close();
      }}
    >
      <div class="dialog-inner">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet square" onClick={() => element.current?.close()} title="Close (Esc)">
            <Icon name="close" />
            <span class="unseen">Close</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
