import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** One of several views of the same thing. */
export interface Tab {
  readonly name: string;
  readonly text: string;
  readonly show: () => ComponentChildren;
}

/** Shows one of several views. Arrow keys change it, as in other tab lists. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }): JSX.Element {
  const id = useId();
  const chosen = useSignal(tabs[0]?.name ?? '');
  const current = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen.value),
  );
  const choose = (index: number, list: HTMLElement): void => {
    const place = (index + tabs.length) % tabs.length;
    chosen.value = tabs[place]?.name ?? '';
    (list.children[place] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs">
      <div
        class="tab-list"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          choose(current + by, event.currentTarget);
        }}
      >
        {tabs.map(({ name, text }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === current}
            aria-controls={`${id}-panel`}
            tabIndex={index === current ? 0 : -1}
            onClick={() => {
              chosen.value = name;
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${current}`}>
        {tabs[current]?.show()}
      </div>
    </div>
  );
}
