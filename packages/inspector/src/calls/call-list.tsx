import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ListedCall } from '../api/api-shapes.ts';
import { calls, failure, filters, hasMore, isAtTop, isFull, readAgain, reading, readMore } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, toHash } from '../state/route.ts';
import { CallRow } from './call-row.tsx';
import { scrollToRow, virtualWindow } from './virtual-window.ts';

const wideRow = 40;
const narrowRow = 62;
const narrowBelow = 620;

interface DrawnRow {
  readonly call: ListedCall;
  /** All that a row shows besides its call. */
  readonly look: string;
  readonly element: JSX.Element;
}

/** Shows thousands of calls by drawing only the rows in view. `j` and `k` move, Enter opens. */
export function CallList({ openId }: { readonly openId: string }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef(new Map<string, DrawnRow>());
  const scrollTop = useSignal(0);
  const size = useSignal({ width: 1000, height: 800 });
  const currentId = useSignal(openId);
  const rows = calls.value;
  const rowHeight = size.value.width < narrowBelow ? narrowRow : wideRow;
  const { from, to, height } = virtualWindow(rows.length, rowHeight, scrollTop.value, size.value.height);
  const found = rows.findIndex(({ id }) => id === currentId.value);
  const current = found === -1 ? 0 : found;
  const query = writeFilters(filters.value);
  const hrefOf = (id: string): string => toHash('calls', id, query);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
      // The names of the columns stand above the list, and keep as much room for its scrollbar.
      element.parentElement?.style.setProperty('--scrollbar', `${element.offsetWidth - element.clientWidth}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (to >= rows.length - 20 && failure.value === undefined) void readMore();
    // A page may hold no call that is wanted: the next is read as soon as it is there.
  }, [to, rows.length, reading.value]);

  // A call that was opened from elsewhere is brought into view; one that was opened here is in view.
  const openAt = rows.findIndex(({ id }) => id === openId);
  useEffect(() => {
    const element = frame.current;
    if (element === null || openAt === -1) return;
    currentId.value = openId;
    const top = scrollToRow(openAt, rowHeight, element.scrollTop, element.clientHeight);
    if (top !== element.scrollTop) element.scrollTop = Math.max(0, openAt * rowHeight - element.clientHeight / 2);
  }, [openId, openAt === -1, rowHeight]);

  const move = (by: number): void => {
    const element = frame.current;
    // Looked up now: a key may come before the page has drawn what the last one did.
    const at = rows.findIndex(({ id }) => id === currentId.value);
    const target = rows[Math.max(0, Math.min(rows.length - 1, at === -1 ? 0 : at + by))];
    if (element === null || target === undefined) return;
    currentId.value = target.id;
    element.scrollTop = scrollToRow(rows.indexOf(target), rowHeight, element.scrollTop, element.clientHeight);
    if (openId !== '') goTo(hrefOf(target.id), { replace: true });
    requestAnimationFrame(() => element.querySelector<HTMLElement>('.row-current')?.focus({ preventScroll: true }));
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(10),
    PageUp: () => move(-10),
    Home: () => move(-rows.length),
    End: () => move(rows.length),
    Enter: () => {
      const target = rows.find(({ id }) => id === currentId.value) ?? rows[0];
      if (target !== undefined) goTo(hrefOf(target.id));
    },
  });

  const before = drawn.current;
  drawn.current = new Map();
  /** Returns the same element for a row in which nothing changed: it is not looked at again, however many calls come in above it. */
  const draw = (call: ListedCall, isCurrent: boolean): JSX.Element => {
    const look = `${isCurrent} ${call.id === openId} ${query}`;
    const known = before.get(call.id);
    const row = known?.call === call && known.look === look ? known : { call, look, element: toRow(call, isCurrent) };
    drawn.current.set(call.id, row);
    return row.element;
  };
  const toRow = (call: ListedCall, isCurrent: boolean): JSX.Element => (
    <CallRow
      call={call}
      href={hrefOf(call.id)}
      isCurrent={isCurrent}
      isOpen={call.id === openId}
      onSelect={() => {
        currentId.value = call.id;
      }}
    />
  );

  return (
    <div
      class={`list${rowHeight === narrowRow ? ' list-narrow' : ''}`}
      ref={frame}
      onScroll={({ currentTarget }) => {
        scrollTop.value = currentTarget.scrollTop;
        isAtTop.value = currentTarget.scrollTop < rowHeight;
      }}
      // New calls would move a row that somebody reached by keyboard out of the list, and the focus with it.
      onFocusIn={({ target }) => {
        if (target instanceof Element && target.matches(':focus-visible')) isAtTop.value = false;
      }}
      onFocusOut={({ currentTarget }) => {
        isAtTop.value = currentTarget.scrollTop < rowHeight;
      }}
    >
      <ul class="rows" aria-label="Calls, newest first" style={{ height: `${height}px`, paddingTop: `${from * rowHeight}px` }}>
        {rows.slice(from, to).map((call, index) => (
          <li
            key={call.id}
            aria-setsize={hasMore.value ? -1 : rows.length}
            aria-posinset={from + index + 1}
            style={{ height: `${rowHeight}px` }}
          >
            {draw(call, from + index === current)}
          </li>
        ))}
      </ul>
      <ListEnd />
    </div>
  );
}

/** Says below the last row why no more rows follow. */
function ListEnd(): JSX.Element | null {
  if (failure.value !== undefined) {
    return (
      <p class="list-end">
        {`Could not load older calls. ${failure.value.message}`}
        <button type="button" onClick={readAgain}>
          Try again
        </button>
      </p>
    );
  }
  if (reading.value === 'more') return <p class="list-end">Loading older calls…</p>;
  if (!isFull.value) return null;
  return <p class="list-end">{`These are the newest ${calls.value.length.toLocaleString('en')} calls. Set a filter to see older ones.`}</p>;
}
