import { effect, signal, untracked } from '@preact/signals';
import type { ListedCall, ProgressNews } from '../api/api-shapes.ts';
import { ApiError, caller, isRefused, send } from '../api/ask-server.ts';
import { readEvents } from '../api/read-events.ts';

/** How the live connection stands. */
export type Connection = 'connecting' | 'live' | 'stalled' | 'lost' | 'refused' | 'off';

/** The live connection to the server. */
export const connection = signal<Connection>('connecting');
/** Goes up each time the connection is made, so that what was missed meanwhile is read again. */
export const connected = signal(0);
/** The latest progress of running calls. */
export const progress = signal<ReadonlyMap<string, ProgressNews>>(new Map());

/** A tab in the background gives its stream back after this long: a browser opens few connections to a server, and other tabs need them too. */
const asleepAfterMs = 60_000;

type OnCalls = (calls: readonly ListedCall[]) => void;
const listeners = new Set<OnCalls>();
const waits = [500, 1000, 2000, 4000];

/** Gives each call that begins or ends to a listener, many at once; returns the function that stops it. */
export function onCalls(listener: OnCalls): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps one stream of calls open for the whole page, with the credential as it is now, and comes back after every loss. */
export function connect(): void {
  const isAsleep = signal(false);
  let falling: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(falling);
    if (document.visibilityState === 'visible') isAsleep.value = false;
    else
      falling = setTimeout(() => {
        isAsleep.value = true;
      }, asleepAfterMs);
  });
  effect(() => {
    if (isAsleep.value) return;
    const stop = new AbortController();
    // The stream begins anew for another caller.
    void caller.value;
    void keepOpen(stop.signal);
    return () => {
      stop.abort();
      // Earlier events may be about another caller's calls.
      batch = [];
      untracked(() => {
        progress.value = new Map();
      });
    };
  });
}

async function keepOpen(stop: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !stop.aborted; ) {
    try {
      const response = await send('v1/calls/stream', { signal: stop, headers: { ...(lastId && { 'last-event-id': lastId }) } });
      if (response.status === 401 || response.status === 403) {
        isRefused.value = response.status === 401;
        connection.value = 'refused';
        return;
      }
      if (response.status === 404 || response.status === 501) {
        // This server keeps no calls, or offers no list of them.
        connection.value = 'off';
        return;
      }
      if (!response.ok || response.body === null) throw new ApiError(response.status, 'Could not read the stream of calls.');
      isRefused.value = false;
      connection.value = 'live';
      connected.value++;
      failures = 0;
      await readEvents(response.body, ({ id, event, data }) => {
        if (stop.aborted) return;
        lastId = id ?? lastId;
        hear(event, data);
      });
    } catch (error) {
      if (!stop.aborted && error instanceof ApiError && error.status === 401) {
        connection.value = 'refused';
        return;
      }
      // No other reason matters: the page tries again.
    }
    if (stop.aborted) return;
    connection.value = 'lost';
    await pause(waits[Math.min(failures++, waits.length - 1)] ?? 4000, stop);
  }
}

let batch: ListedCall[] = [];
function hear(event: string | undefined, data: string): void {
  const value: unknown = JSON.parse(data);
  if (event === 'progress') {
    const said = value as ProgressNews;
    progress.value = new Map([...progress.value, [said.id, said] as const].slice(-200));
  } else if (event === 'call') {
    batch.push(value as ListedCall);
    // One look at the list per frame, however many calls came in.
    if (batch.length === 1) setTimeout(hand, 40);
  } else if (event === 'stalled') connection.value = 'stalled';
  else if (event === 'watching' && connection.peek() === 'stalled') {
    connection.value = 'live';
    connected.value++;
  }
}

function hand(): void {
  const calls = batch;
  batch = [];
  if (calls.length === 0) return;
  for (const listener of listeners) listener(calls);
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  const over = AbortSignal.any([stop, AbortSignal.timeout(ms)]);
  return new Promise((resolve) => {
    over.addEventListener('abort', () => resolve(), { once: true });
    // Back on the network: try at once.
    addEventListener('online', () => resolve(), { once: true, signal: over });
  });
}
