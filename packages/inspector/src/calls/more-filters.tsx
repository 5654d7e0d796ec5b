import type { JSX } from 'preact';
import { filters } from '../state/calls-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fromLocalTime, toLocalTime } from '../words/local-time.ts';
import { setFilter } from './set-filter.ts';

/** Filters that are needed less often: run, tenant, and an exact time. */
export function MoreFilters({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { runId, tenantId, since, until } = filters.value;
  return (
    <Dialog title="More filters" onClose={onClose}>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const text = (name: string): string => String(given.get(name) ?? '').trim();
          const from = fromLocalTime(text('from'));
          setFilter({
            runId: text('runId'),
            tenantId: text('tenantId'),
            until: fromLocalTime(text('to')),
            ...(from !== '' && { since: from }),
          });
          onClose();
        }}
      >
        <label class="field">
          <span class="field-label">Run</span>
          <input name="runId" defaultValue={runId ?? ''} autoComplete="off" spellcheck={false} />
        </label>
        <label class="field">
          <span class="field-label">Tenant</span>
          <span class="field-about">If the server requires a credential, its tenant is used.</span>
          <input name="tenantId" defaultValue={tenantId ?? ''} autoComplete="off" spellcheck={false} />
        </label>
        <label class="field">
          <span class="field-label">From</span>
          <input name="from" type="datetime-local" step="1" defaultValue={toLocalTime(since)} />
        </label>
        <label class="field">
          <span class="field-label">To</span>
          <input name="to" type="datetime-local" step="1" defaultValue={toLocalTime(until)} />
        </label>
        <div class="composer-end">
          <button type="submit" class="main">
            Apply
          </button>
          <button
            type="button"
            onClick={() => {
              setFilter({ tool: [], status: [], kind: [], runId: '', tenantId: '', since: '', until: '', text: '' });
              onClose();
            }}
          >
            Remove all filters
          </button>
        </div>
      </form>
    </Dialog>
  );
}
