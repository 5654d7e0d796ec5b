import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** Whether it stands for the whole page, which has no other heading then. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** Fills a place that has nothing to show, and says what to do. */
export function Empty({ icon, title, isPage = false, children }: EmptyProps): JSX.Element {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <Heading>{title}</Heading>
      <div class="empty-text">{children}</div>
    </div>
  );
}
