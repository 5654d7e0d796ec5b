import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { filters } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { goTo, toHash } from '../state/route.ts';
import { forgetFilters, savedFilters, saveFilters } from '../state/saved-filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { showHidden } from '../words/show-hidden.ts';
import { downloadCalls, downloadForms } from './download-calls.ts';
import { RepeatDialog } from './repeat-dialog.tsx';

/** Actions for all filtered calls: save the filters, download the calls, run failed ones again. */
export function CallsMenu(): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLFieldSetElement>(null);
  const place = useSignal({ top: '0px', right: '0px' });
  const isRepeating = useSignal(false);
  const busy = useSignal('');
  const problem = useSignal('');
  const hasFilters = writeFilters(filters.value) !== '';
  const close = (): void => menu.current?.hidePopover();
  const download = async (format: keyof typeof downloadForms): Promise<void> => {
    busy.value = format;
    problem.value = '';
    try {
      await downloadCalls(format, filters.value);
      close();
    } catch (error) {
      problem.value = errorText(error);
    }
    busy.value = '';
  };
  return (
    <>
      <button ref={button} type="button" class="quiet square filters-menu" popovertarget={id} title="Save, download, run again">
        <Icon name="more" />
        <span class="unseen">Save, download, run again</span>
      </button>
      <fieldset
        ref={menu}
        id={id}
        popover="auto"
        aria-label="Save, download, run again"
        class="choices menu"
        style={place.value}
        onBeforeToggle={({ newState }) => {
          const frame = button.current?.getBoundingClientRect();
          if (newState === 'open' && frame)
            place.value = { top: `${frame.bottom + 4}px`, right: `${Math.max(8, innerWidth - frame.right)}px` };
        }}
      >
        <h2>Saved filters</h2>
        {savedFilters.value.map((saved) => (
          <div key={saved.name} class="menu-row">
            <a href={toHash('calls', '', writeFilters(saved.filters))} onClick={close}>
              {showHidden(saved.name)}
            </a>
            <button type="button" class="quiet square" title={`Delete ${saved.name}`} onClick={() => forgetFilters(saved.name)}>
              <Icon name="close" size={12} />
              <span class="unseen">{`Delete ${saved.name}`}</span>
            </button>
          </div>
        ))}
        {hasFilters ? (
          <SaveForm onSaved={close} />
        ) : (
          savedFilters.value.length === 0 && <p class="section-note">Set a filter first, then save it here.</p>
        )}
        <h2>Download</h2>
        {(Object.keys(downloadForms) as (keyof typeof downloadForms)[]).map((format) => (
          <button key={format} type="button" disabled={busy.value !== ''} onClick={() => void download(format)}>
            <Icon name="download" size={14} />
            {busy.value === format ? 'Loading…' : downloadForms[format]}
          </button>
        ))}
        <Problem text={problem.value} />
        <h2>Failed calls</h2>
        <button
          type="button"
          onClick={() => {
            close();
            isRepeating.value = true;
          }}
        >
          <Icon name="again" size={14} />
          Run again…
        </button>
      </fieldset>
      {isRepeating.value && (
        <RepeatDialog
          filters={filters.value}
          onClose={() => {
            isRepeating.value = false;
          }}
        />
      )}
    </>
  );
}

function SaveForm({ onSaved }: { readonly onSaved: () => void }): JSX.Element {
  return (
    <form
      class="menu-row"
      onSubmit={(event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
        if (name === '') return;
        saveFilters(name, filters.value);
        goTo(toHash('calls', '', writeFilters(filters.value)), { replace: true });
        onSaved();
      }}
    >
      <input name="name" aria-label="Name of the filters" placeholder="Name" maxLength={60} required autoComplete="off" />
      <button type="submit">Save</button>
    </form>
  );
}
