import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { calledTools, filters, isPaused, showHeld } from '../state/calls-store.ts';
import { useKeys } from '../state/keys.ts';
import { toolNames } from '../state/tools-store.ts';
import { Icon } from '../ui/icon.tsx';
import { shortTime } from '../words/local-time.ts';
import { kindWords, statusWords } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { CallsMenu } from './calls-menu.tsx';
import { ManyChoice } from './many-choice.tsx';
import { MoreFilters } from './more-filters.tsx';
import { setFilter } from './set-filter.ts';

const spans = { '5m': 'Last 5 minutes', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const;

/** The filters above the list of calls, and the pause button. */
export function FilterBar(): JSX.Element {
  const search = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMoreOpen = useSignal(false);
  const given = filters.value;
  const text = useSignal(given.text ?? '');
  useEffect(() => {
    // While somebody types, the filter lags behind the field.
    if (timer.current === undefined) text.value = given.text ?? '';
  }, [given.text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const togglePause = (): void => {
    isPaused.value = !isPaused.value;
    if (!isPaused.value) showHeld();
  };
  useKeys({ '/': () => search.current?.focus(), p: togglePause });
  const called = JSON.parse(calledTools.value) as readonly string[];
  const tools = [...new Set([...toolNames.value, ...called, ...(given.tool ?? [])])].sort();
  return (
    <search class="filters">
      <div class="filters-inner">
        <label class="search">
          <Icon name="search" />
          <span class="unseen">Search in calls</span>
          <input
            ref={search}
            type="search"
            placeholder="Search arguments, results, ids"
            value={text.value}
            onInput={({ currentTarget: { value } }) => {
              text.value = value;
              clearTimeout(timer.current);
              timer.current = setTimeout(() => {
                timer.current = undefined;
                setFilter({ text: value });
              }, 200);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.currentTarget.blur();
            }}
          />
          <kbd>/</kbd>
        </label>
        <ManyChoice
          label="Tools"
          values={given.tool ?? []}
          choices={tools.map((tool) => [tool, tool])}
          onChange={(tool) => setFilter({ tool })}
        />
        <ManyChoice
          label="Outcomes"
          values={given.status ?? []}
          choices={Object.entries(statusWords).map(([status, { text }]) => [status, text])}
          onChange={(status) => setFilter({ status })}
        />
        <ManyChoice label="Kinds" values={given.kind ?? []} choices={Object.entries(kindWords)} onChange={(kind) => setFilter({ kind })} />
        <TimeChoice value={given.since} />
        {(['runId', 'tenantId', 'until'] as const).map(
          (name) =>
            given[name] && (
              <button key={name} type="button" class="filter-chip" title="Remove this filter" onClick={() => setFilter({ [name]: '' })}>
                <span>{showHidden(`${names[name]} ${name === 'until' ? shortTime(given[name], Date.now()) : given[name]}`)}</span>
                <Icon name="close" size={12} />
              </button>
            ),
        )}
        <button
          type="button"
          class="quiet square filters-more"
          title="More filters"
          onClick={() => {
            isMoreOpen.value = true;
          }}
        >
          <Icon name="filter" />
          <span class="unseen">More filters</span>
        </button>
        <CallsMenu />
        <button type="button" class="quiet filters-pause" aria-pressed={isPaused.value} onClick={togglePause} title="Pause or resume (p)">
          <Icon name={isPaused.value ? 'play' : 'pause'} />
          <span>{isPaused.value ? 'Resume' : 'Pause'}</span>
        </button>
      </div>
      {isMoreOpen.value && (
        <MoreFilters
          onClose={() => {
            isMoreOpen.value = false;
          }}
        />
      )}
    </search>
  );
}

const names = { runId: 'Run', tenantId: 'Tenant', until: 'Until' } as const;

function TimeChoice({ value = '' }: { readonly value: string | undefined }): JSX.Element {
  const isOwn = value !== '' && !Object.hasOwn(spans, value);
  return (
    <label class={`choice${value === '' ? '' : ' choice-set'}`}>
      <span class="unseen">Time</span>
      <select value={value} onChange={({ currentTarget }) => setFilter({ since: currentTarget.value })}>
        <option value="">Any time</option>
        {isOwn && <option value={value}>{`From ${shortTime(value, Date.now())}`}</option>}
        {Object.entries(spans).map(([span, text]) => (
          <option key={span} value={span}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
