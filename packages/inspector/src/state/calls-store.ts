import { computed, effect, signal, untracked } from '@preact/signals';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, caller, readForCaller, tenant } from '../api/ask-server.ts';
import { connected, onCalls } from './connection.ts';
import { type CallFilters, fitsFilters, readFilters, toApiQuery, writeFilters } from './filters.ts';
import { joinsOn, maxCalls, mergeCalls } from './merge-calls.ts';
import { route } from './route.ts';

/** How many calls are read at first, and each time the list comes to its end. */
const pageSize = 200;
const nextSize = 500;
/** How long changes are gathered before the server searches them. */
const searchEveryMs = 300;

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
/** How many calls passed the filters when these were set, in words; empty without filters. */
export const matchText = signal('');
/** Why the list could not be read. */
export const failure = signal<ApiError | undefined>(undefined);
const next = signal<string | undefined>(undefined);
/** Whether the page holds as many calls as it can. */
export const isFull = computed(() => calls.value.length >= maxCalls);
/** Whether older calls can be read. */
export const hasMore = computed(() => next.value !== undefined && !isFull.value);
/** The ids of all calls that the page holds. */
const knownIds = computed(() => new Set([...calls.value, ...held.value].map(({ id }) => id)));
/** Where older calls follow those that wait; set if calls are missing between these and the calls that are shown. */
let heldNext: string | undefined;

let turn = 0;
/** Whether it is known where older calls follow those that are shown. */
let isEndKnown = false;

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
        isEndKnown = false;
        forgetHeld();
      }
      shown = wanted;
      void readFirst();
    });
  });
  onCalls((changed) => {
    const isSearch = Boolean(filters.value.text);
    if (isSearch) searchSoon(changed);
    take(changed.filter((call) => (!isSearch && fitsFilters({ ...call }, filters.value, Date.now())) || knownIds.value.has(call.id)));
  });
}

/** Reads older calls. */
export async function readMore(): Promise<void> {
  if (reading.value !== 'done' || !hasMore.value) return;
  reading.value = 'more';
  await read(next.value);
}

/** Reads again what could not be read. */
export function readAgain(): void {
  failure.value = undefined;
  if (isEndKnown) return void readMore();
  reading.value = 'first';
  void readFirst();
}

/** Shows the new calls that waited. */
export function showHeld(): void {
  if (heldNext !== undefined) next.value = heldNext;
  calls.value = mergeCalls(heldNext === undefined ? calls.value : [], held.value);
  forgetHeld();
}

function forgetHeld(): void {
  held.value = [];
  heldNext = undefined;
}

/** Puts changed calls into the list; new ones wait while the list is paused or scrolled, so that nothing moves under the pointer. */
function take(changed: readonly ListedCall[]): void {
  const shown = new Set(calls.value.map(({ id }) => id));
  held.value = mergeCalls(
    held.value,
    changed.filter(({ id }) => !shown.has(id)),
  );
  calls.value = mergeCalls(
    calls.value,
    changed.filter(({ id }) => shown.has(id)),
  );
  if (!isPaused.value && isAtTop.value) showHeld();
}

let timer: ReturnType<typeof setTimeout> | undefined;
let changedSince = Number.POSITIVE_INFINITY;
/** Texts are searched by the server: a little after a change, and only from the earliest call on that changed. */
function searchSoon(changed: readonly ListedCall[]): void {
  changedSince = Math.min(changedSince, ...changed.map(({ begunAt }) => Date.parse(begunAt)));
  if (timer !== undefined) return;
  timer = setTimeout(async () => {
    await searchChanged();
    timer = undefined;
    if (changedSince < Number.POSITIVE_INFINITY) searchSoon([]);
  }, searchEveryMs);
}

async function searchChanged(): Promise<void> {
  const own = turn;
  const query = toApiQuery(filters.value, Date.now());
  query.set('since', String(Math.max(changedSince, Number(query.get('since') ?? 0))));
  changedSince = Number.POSITIVE_INFINITY;
  query.set('limit', String(nextSize));
  const page = await readForCaller<CallPage>(`v1/calls?${query}`);
  if (page?.value !== undefined && own === turn) take(page.value.calls);
}

/** Reads the first page; what is known stays where the page joins on to it. */
async function readFirst(): Promise<void> {
  turn++;
  await read(undefined);
}

async function read(cursor: string | undefined): Promise<void> {
  const own = turn;
  const [newest] = [...held.value, ...calls.value];
  const query = toApiQuery(filters.value, Date.now());
  query.set('limit', String(cursor === undefined ? pageSize : nextSize));
  if (cursor !== undefined) query.set('cursor', cursor);
  const read = await readForCaller<CallPage>(`v1/calls?${query}`);
  if (read === undefined || own !== turn) return;
  const page = read.value;
  failure.value = read.error;
  if (page !== undefined && cursor === undefined && isEndKnown && newest !== undefined) {
    if (!joinsOn(page, newest)) {
      held.value = [];
      heldNext = page.next;
    }
    take(page.calls);
  } else if (page !== undefined) {
    isEndKnown = true;
    next.value = page.next;
    calls.value = mergeCalls(calls.value, page.calls);
    if (cursor === undefined) matchText.value = writeFilters(filters.value) === '' ? '' : toMatchText(page);
  }
  reading.value = 'done';
  // The server searches so many calls at a time: of those that it searched, none may be wanted.
  if (page !== undefined && calls.value.length === 0) void readMore();
}

function toMatchText({ calls: { length }, next: more }: CallPage): string {
  if (more !== undefined) return length === 0 ? '' : `At least ${length} calls match`;
  return length === 1 ? '1 call matches' : `${length} calls match`;
}
