/** Which rows of a long list are drawn, and where the first of them lies. */
export interface VirtualWindow {
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** How many rows beyond each edge are drawn too, so that quick scrolling shows no gaps. */
const margin = 8;

/** Returns the rows that a scrolled list shows, out of rows of one height. */
export function virtualWindow(count: number, rowHeight: number, scrollTop: number, viewHeight: number): VirtualWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const shown = Math.ceil(viewHeight / rowHeight) + 1;
  const from = Math.max(0, Math.min(first, count - shown) - margin);
  const to = Math.min(count, first + shown + margin);
  return { from, to: Math.max(from, to), height: count * rowHeight };
}

/** Returns where to scroll so that a row is seen whole; the same place if it is. */
export function scrollToRow(index: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + viewHeight ? bottom - viewHeight : scrollTop;
}
