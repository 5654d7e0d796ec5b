import { signal } from '@preact/signals';
import { type CallFilters, readFilters, writeFilters } from './filters.ts';

/** Filters with a name, which this browser keeps. */
export interface SavedFilters {
  readonly name: string;
  readonly filters: CallFilters;
}

const place = 'toolpact-filters';
const maxSaved = 50;

/** The filters that were saved, by their names. */
export const savedFilters = signal<readonly SavedFilters[]>(readSaved(stored()));

/** Saves filters under a name; those of the same name are replaced. */
export function saveFilters(name: string, filters: CallFilters): void {
  const others = savedFilters.value.filter((saved) => saved.name !== name);
  keep([...others, { name, filters }].sort((a, b) => a.name.localeCompare(b.name)).slice(0, maxSaved));
}

/** Forgets the filters of a name. */
export function forgetFilters(name: string): void {
  keep(savedFilters.value.filter((saved) => saved.name !== name));
}

/** Reads what was saved. What cannot be read is left out. */
export function readSaved(text: string | null): readonly SavedFilters[] {
  try {
    const saved: unknown = JSON.parse(text ?? '{}');
    if (typeof saved !== 'object' || saved === null) return [];
    return Object.entries(saved).flatMap(([name, query]) =>
      typeof query === 'string' ? [{ name, filters: readFilters(new URLSearchParams(query)) }] : [],
    );
  } catch {
    return [];
  }
}

function keep(saved: readonly SavedFilters[]): void {
  savedFilters.value = saved;
  try {
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(saved.map(({ name, filters }) => [name, writeFilters(filters)]))));
  } catch {
    // A browser that keeps nothing forgets them with the page.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}
