import { useEffect, useRef } from 'preact/hooks';

/** Actions by key, named as in `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>;

const layers: { current: Keys }[] = [];
let isAfterG = false;

/** Returns keys a meaning while a component is shown. The component that came last wins. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

/** Listens to keys, for the whole page. Keys that are typed into a field stay there; `g` begins a pair such as `g t`. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('dialog[open], :popover-open') !== null) return;
    const name = isAfterG ? `g ${event.key}` : event.key;
    isAfterG = !isAfterG && event.key === 'g';
    const run = layers.findLast(({ current }) => current[name] !== undefined)?.current[name];
    // Enter on a link or button is theirs; that of a row follows the row that was chosen last, which may not have the focus yet.
    if (
      run === undefined ||
      (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a:not(.row), button, summary'))
    )
      return;
    event.preventDefault();
    run();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
