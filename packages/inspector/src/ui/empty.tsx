import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Fills a place that has nothing to show, and says what to do. */
export function Empty({ icon, title, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      <div class="empty-text">{children}</div>
    </div>
  );
}
