import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { calledTools, filters, isPaused, showHeld } from '../state/calls-store.ts';
import type { CallFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { toolNames } from '../state/tools-store.ts';
import { Icon } from '../ui/icon.tsx';
import { shortTime } from '../words/local-time.ts';
import { kindWords, statusWords } from '../words/outcome-words.ts';
import { MoreFilters } from './more-filters.tsx';
import { setFilter } from './set-filter.ts';

const spans = { '5m': 'Last 5 minutes', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const;

/** The filters above the list of calls, and the pause button. */
export function FilterBar(): JSX.Element {
  const search = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMoreOpen = useSignal(false);
  const given = filters.value;
  const togglePause = (): void => {
    isPaused.value = !isPaused.value;
    if (!isPaused.value) showHeld();
  };
  useKeys({ '/': () => search.current?.focus(), p: togglePause });
  const called = JSON.parse(calledTools.value) as readonly string[];
  const tools = [...new Set([...toolNames.value, ...called, ...(given.tool ? [given.tool] : [])])].sort();
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
            value={given.text ?? ''}
            onInput={({ currentTarget: { value } }) => {
              clearTimeout(timer.current);
              timer.current = setTimeout(() => setFilter({ text: value }), 200);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.currentTarget.blur();
            }}
          />
          <kbd>/</kbd>
        </label>
        <Choice label="Tool" all="All tools" value={given.tool} name="tool" choices={tools.map((tool) => [tool, tool])} />
        <Choice
          label="Status"
          all="Any outcome"
          value={given.status}
          name="status"
          choices={Object.entries(statusWords).map(([status, { text }]) => [status, text])}
        />
        <Choice label="Kind of failure" all="Any kind" value={given.kind} name="kind" choices={Object.entries(kindWords)} />
        <Choice label="Time" all="Any time" value={given.since} name="since" choices={Object.entries(spans)} />
        {(['runId', 'tenantId', 'until'] as const).map(
          (name) =>
            given[name] && (
              <button key={name} type="button" class="filter-chip" title="Remove this filter" onClick={() => setFilter({ [name]: '' })}>
                <span>{`${names[name]} ${name === 'until' ? shortTime(given[name], Date.now()) : given[name]}`}</span>
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
        <button type="button" class="quiet filters-pause" aria-pressed={isPaused.value} onClick={togglePause} title="Pause or go on (p)">
          <Icon name={isPaused.value ? 'play' : 'pause'} />
          <span>{isPaused.value ? 'Go on' : 'Pause'}</span>
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

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly name: keyof CallFilters;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
}

function Choice({ label, all, name, value = '', choices }: ChoiceProps): JSX.Element {
  const isOwn = value !== '' && !choices.some(([choice]) => choice === value);
  return (
    <label class={`choice${value === '' ? '' : ' choice-set'}`}>
      <span class="unseen">{label}</span>
      <select value={value} onChange={({ currentTarget }) => setFilter({ [name]: currentTarget.value })}>
        <option value="">{all}</option>
        {isOwn && <option value={value}>{name === 'since' ? `From ${shortTime(value, Date.now())}` : value}</option>}
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
