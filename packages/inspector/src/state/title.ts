import { effect } from '@preact/signals';
import { showHidden } from '../words/show-hidden.ts';
import { waitingCount, waitingText } from './approvals-store.ts';
import { route } from './route.ts';

const names: Readonly<Record<string, string>> = {
  calls: 'Calls',
  runs: 'Runs',
  tools: 'Tools',
  approvals: 'Approvals',
  health: 'Health',
  servers: 'Servers',
};

/** Keeps the title of the page: a tab in the background shows how many calls wait for a person. */
export function keepTitle(): void {
  effect(() => {
    const { page, rest } = route.value;
    const waiting = waitingCount.value > 0 ? `(${waitingText.value}) ` : '';
    // Ids of calls say nothing in a tab; names of tools and runs do.
    const what = page === 'tools' || page === 'runs' ? rest.slice(0, 60) : '';
    document.title = `${waiting}${showHidden(what) || (names[page] ?? 'Calls')} · Toolpact`;
  });
}
