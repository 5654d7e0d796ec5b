import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CallPane } from '../call/call-pane.tsx';
import { failure, filters, hasCalls, heldCount, matchText, readAgain, reading, showHeld } from '../state/calls-store.ts';
import { connection } from '../state/connection.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, route, toHash } from '../state/route.ts';
import { Empty } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CallList } from './call-list.tsx';
import { Divider, listShare } from './divider.tsx';
import { FilterBar } from './filter-bar.tsx';

/** The live list of calls, and beside it the one that is open. */
export function CallsPage(): JSX.Element {
  const openId = route.value.rest;
  const jump = (): void => {
    showHeld();
    document.querySelector('.list')?.scrollTo({ top: 0 });
  };
  const before = useRef(openId);
  useEffect(() => {
    // The part of the page that had the focus is closed: back to the row from which it was opened.
    if (before.current !== '' && openId === '') focusCurrentRow();
    before.current = openId;
  }, [openId]);
  useKeys({ n: jump, Escape: () => openId !== '' && goTo(toHash('calls', '', writeFilters(filters.value))) });
  return (
    <div class={`calls${openId === '' ? '' : ' calls-open'}`} style={{ '--split': `${listShare.value}%` }}>
      <section class="calls-side" aria-label="List of calls">
        <h1 class="unseen">Calls</h1>
        <FilterBar />
        <p class="unseen" role="status">
          {matchText.value}
        </p>
        <div class="calls-body">
          {heldCount.value > 0 && (
            <button type="button" class="main jump" onClick={jump} title="Show new calls (n)">
              <Icon name="up" size={14} />
              {heldCount.value === 1 ? '1 new call' : `${heldCount.value.toLocaleString('en')} new calls`}
            </button>
          )}
          {hasCalls.value && <ColumnNames />}
          {hasCalls.value ? <CallList openId={openId} /> : <NoCalls />}
        </div>
      </section>
      {openId !== '' && (
        <>
          <Divider />
          <CallPane id={openId} />
        </>
      )}
    </div>
  );
}

/** How many frames the list may take to draw its rows: on a phone it has no height while a call is open. */
const mostFrames = 60;

/** Gives the focus to the current row as soon as it is drawn, unless something else has it. */
function focusCurrentRow(frames = mostFrames): void {
  if (document.activeElement !== document.body) return;
  const row = document.querySelector<HTMLElement>('.row-current');
  row?.focus({ preventScroll: true });
  if (document.activeElement === document.body && frames > 0) requestAnimationFrame(() => focusCurrentRow(frames - 1));
}

/** Names the columns of a wide list. Each row says the same to screen readers by itself. */
function ColumnNames(): JSX.Element {
  return (
    <div class="list-head" aria-hidden="true">
      <div class="row-names">
        <span class="row-tool">Tool</span>
        <span class="row-text">What happened</span>
        <span class="row-owner">Run</span>
        <span class="row-took">Took</span>
        <span class="row-age">Age</span>
      </div>
    </div>
  );
}

function NoCalls(): JSX.Element {
  if (reading.value === 'first') return <Waiting text="Loading calls…" />;
  if (reading.value === 'more') return <Waiting text="Searching older calls…" />;
  if (connection.value === 'off') {
    return (
      <Empty icon="calls" title="This server does not record calls">
        <p>You can call tools on the Tools page, but calls are not recorded. Give the toolbox a store to record them.</p>
      </Empty>
    );
  }
  if (failure.value !== undefined && failure.value.status !== 0) {
    return (
      <Empty icon="error" title="Could not load the calls">
        <p>{failure.value.message}</p>
        <button type="button" onClick={readAgain}>
          Try again
        </button>
      </Empty>
    );
  }
  if (connection.value === 'lost' || failure.value !== undefined) {
    return (
      <Empty icon="plug" title="Cannot reach the server">
        <p>Reconnecting…</p>
      </Empty>
    );
  }
  if (writeFilters(filters.value) !== '') {
    return (
      <Empty icon="search" title="No matching calls">
        <p>
          <a class="button" href={toHash('calls')}>
            Show all calls
          </a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="calls" title="No calls yet">
      <p>Calls appear here the moment they begin.</p>
      <p>
        <a class="button" href={toHash('tools')}>
          Call a tool
        </a>
      </p>
    </Empty>
  );
}
