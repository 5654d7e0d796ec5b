import { computed, effect, signal, untracked } from '@preact/signals';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, caller, readForCaller, tenant } from '../api/ask-server.ts';
import { connected, onCalls } from './connection.ts';
import { type CallFilters, fitsFilters, readFilters, toApiQuery, writeFilters } from './filters.ts';
import { maxCalls, mergeCalls } from './merge-calls.ts';
import { route } from './route.ts';

/** How many calls are read at first, and each time the list comes to its end. */
const pageSize = 200;
const nextSize = 500;

/** The filters of the list of calls. Other pages leave them as they were. */
export const filters = signal<CallFilters>(readFilters(route.value.query));
/** The calls that are shown, newest first. */
export const calls = signal<readonly ListedCall[]>([]);
/** Whether there are calls to show. */
export const hasCalls = computed(() => calls.value.length > 0);
/** The names of the tools of the newest calls; the same text as long as these are the same. */
export const calledTools = computed(() => JSON.stringify([...new Set(calls.value.slice(0, 200).map(({ tool }) => tool))].sort()));
/** New calls that wait until they are asked for, because the list is paused or scrolled. */
const held = signal<readonly ListedCall[]>([]);
/** How many new calls wait. */
export const heldCount = computed(() => held.value.length);
/** Whether new calls wait although the list shows its top. */
export const isPaused = signal(false);
/** Whether the list shows its top; the list says so. */
export const isAtTop = signal(true);
/** How the list stands: `first` while nothing was read yet. */
export const reading = signal<'first' | 'more' | 'done'>('first');
/** Why the list could not be read. */
export const failure = signal<ApiError | undefined>(undefined);
const next = signal<string | undefined>(undefined);
/** Whether older calls can be read. */
export const hasMore = computed(() => next.value !== undefined && calls.value.length < maxCalls);

let turn = 0;

/** Keeps the list in step with the filters of the address and with what happens on the server. */
export function watchCalls(): void {
  effect(() => {
    const { page, query } = route.value;
    if (page !== 'calls') return;
    const given = readFilters(query);
    tenant.value = given.tenantId ?? '';
    if (writeFilters(given) !== writeFilters(filters.peek())) filters.value = given;
  });
  let shown: unknown[] = [];
  effect(() => {
    const wanted = [filters.value, caller.value];
    void connected.value;
    untracked(() => {
      if (wanted.some((one, index) => one !== shown[index])) {
        calls.value = [];
        next.value = undefined;
        failure.value = undefined;
        reading.value = 'first';
      }
      shown = wanted;
      held.value = [];
      void readFirst();
    });
  });
  onCalls((changed) => {
    if (filters.value.text) return readSoon();
    take(
      changed.filter((call) => fitsFilters({ ...call }, filters.value, Date.now()) || isIn(calls.value, call) || isIn(held.value, call)),
    );
  });
}

/** Reads older calls. */
export async function readMore(): Promise<void> {
  if (reading.value !== 'done' || next.value === undefined || calls.value.length >= maxCalls) return;
  reading.value = 'more';
  await read(next.value);
}

/** Shows the new calls that waited. */
export function showHeld(): void {
  calls.value = mergeCalls(calls.value, held.value);
  held.value = [];
}

/** Puts changed calls into the list; new ones wait while the list is paused or scrolled, so that nothing moves under the pointer. */
function take(changed: readonly ListedCall[]): void {
  if (!isPaused.value && isAtTop.value) {
    calls.value = mergeCalls(calls.value, [...held.value, ...changed]);
    held.value = [];
    return;
  }
  const known = changed.filter((call) => isIn(calls.value, call));
  calls.value = mergeCalls(calls.value, known);
  held.value = mergeCalls(
    held.value,
    changed.filter((call) => !known.includes(call)),
  );
}

function isIn(rows: readonly ListedCall[], { id }: ListedCall): boolean {
  return rows.some((row) => row.id === id);
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** A search in texts is the server's: read its first page again, a little after the last change. */
function readSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void readFirst(), 300);
}

/** Reads the first page; what is known and newer stays. */
async function readFirst(): Promise<void> {
  turn++;
  await read(undefined);
}

async function read(cursor: string | undefined): Promise<void> {
  const own = turn;
  const query = toApiQuery(filters.value, Date.now());
  query.set('limit', String(cursor === undefined ? pageSize : nextSize));
  if (cursor !== undefined) query.set('cursor', cursor);
  const read = await readForCaller<CallPage>(`v1/calls?${query}`);
  if (read === undefined || own !== turn) return;
  if (read.value !== undefined) {
    const page = read.value;
    const isKnown = cursor === undefined && calls.value.length > page.calls.length;
    if (cursor === undefined && reading.value !== 'first') take(page.calls);
    else calls.value = mergeCalls(calls.value, page.calls);
    if (!isKnown) next.value = page.next;
  }
  failure.value = read.error;
  reading.value = 'done';
}
