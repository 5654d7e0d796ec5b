import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Section } from './section.tsx';

interface FoldedSectionProps {
  readonly title: string;
  readonly note: string;
  readonly isOpen: Signal<boolean>;
  readonly children: ComponentChildren;
}

/** A part of a page that is opened when somebody asks for it. */
export function FoldedSection({ title, note, isOpen, children }: FoldedSectionProps): JSX.Element {
  return (
    <Section
      title={title}
      note={note}
      end={
        <button
          type="button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Hide' : 'Show'}
          <span class="unseen">{title}</span>
        </button>
      }
    >
      {isOpen.value && children}
    </Section>
  );
}
