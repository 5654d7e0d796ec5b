import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  /** A few words beside the title. */
  readonly note?: ComponentChildren;
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading, and what can be done with it at its end. */
export function Section({ title, note, end, children }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {note && <span class="section-note">{note}</span>}
        {end && <span class="section-end">{end}</span>}
      </div>
      {children}
    </section>
  );
}
