import { signal } from '@preact/signals';
import type { JSX } from 'preact';

/** How much of the width the list takes beside an open call, in percent. */
export const listShare = signal(38);

const least = 22;
const most = 70;

/** The line between the list and the open call. It is moved with the pointer or with the arrow keys. */
export function Divider(): JSX.Element {
  const moveTo = (share: number): void => {
    listShare.value = Math.round(Math.max(least, Math.min(most, share)) * 10) / 10;
  };
  return (
    <hr
      class="divider"
      aria-label="Width of the list"
      aria-orientation="vertical"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={listShare.value}
      tabIndex={0}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -3, ArrowRight: 3 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        moveTo(listShare.value + by);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const frame = event.currentTarget.parentElement?.getBoundingClientRect();
        if (frame) moveTo((100 * (event.clientX - frame.left)) / frame.width);
      }}
    />
  );
}
