import type { CallFilter, ListedCall, Outcome } from 'toolpact';
import { createBoundedMap, sleep } from 'toolpact/internal';
import type { CallSummary } from '../routes/call-summary.ts';
import type { Ask } from './ask.ts';
import type { CallNews, RequestOptions, WatchFilter } from './client.ts';
import { toPathPart, toQuery } from './stored-calls.ts';

/** Pauses between two connections, so that a server that ends each at once is not asked without end. */
const leastPauseMs = 250;
const maxPauseMs = 10_000;
/** The most calls that are remembered as given to the reader, and the most that wait for it. */
const maxKnown = 10_000;

/** Watches calls until its reader or its signal stops it, or until the server refuses. Where a connection breaks, the next goes on from there. */
export async function* watchCalls(
  ask: Ask,
  { since, ...filter }: WatchFilter & Pick<CallFilter, 'since'>,
  options: RequestOptions,
): AsyncGenerator<Outcome<CallNews>, void, undefined> {
  const over = new AbortController();
  const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
  const waiting: CallNews[] = [];
  let wake = (): void => undefined;
  let lastId = since === undefined ? undefined : String(new Date(since).getTime());
  let pauseMs = leastPauseMs;
  let isFull = false;
  const known = createBoundedMap<ListedCall['status']>({ maxEntries: maxKnown, now: Date.now });
  /** After a break a server sends again what it may have sent before. */
  const isKnown = (news: CallNews): boolean => {
    if (news.is !== 'call') return false;
    const { id, status } = news.call;
    if (known.get(id) === status) return true;
    known.set(id, status, Number.POSITIVE_INFINITY);
    return false;
  };
  const hear = (event: { readonly event: string; readonly data: string; readonly id?: string | undefined }): boolean => {
    lastId = event.id ?? lastId;
    pauseMs = leastPauseMs;
    const news = readNews(event.event, event.data);
    if (news !== undefined && !isKnown(news)) waiting.push(news);
    wake();
    // A reader that lags behind gets the rest over the next connection.
    isFull = waiting.length >= maxKnown;
    return isFull;
  };
  try {
    while (!signal.aborted) {
      let ended: Outcome | undefined;
      void ask({
        method: 'GET',
        path: `/v1/calls/stream${toQuery({ ...filter })}`,
        effects: 'none',
        plain: () => undefined,
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
        onEvent: hear,
        options: { ...options, signal },
      }).then((outcome) => {
        ended = outcome;
        wake();
      });
      while (waiting.length > 0 || ended === undefined) {
        const news = waiting.shift();
        if (news !== undefined) yield Object.freeze({ status: 'ok', data: news, meta: { tookMs: 0.001, attempts: 1 } });
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      if (signal.aborted) return;
      if (ended.status === 'error' && !ended.error.retryable && !isFull) return void (yield ended as Outcome<CallNews>);
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  } finally {
    over.abort();
  }
}

/** Counts calls per minute, tool and kind. */
export function summarizeCalls(
  ask: Ask,
  filter: WatchFilter & Pick<CallFilter, 'since' | 'until'>,
  options: RequestOptions,
): Promise<Outcome<CallSummary>> {
  const plain = (json: unknown): unknown => (Array.isArray((json as Partial<CallSummary> | null)?.tools) ? json : undefined);
  const path = `/v1/calls/summary${toQuery({ ...filter })}`;
  return ask({ method: 'GET', path, effects: 'none', plain, options }) as Promise<Outcome<CallSummary>>;
}

/** Stops a running call. To stop it twice does no harm. */
export function cancelCall(ask: Ask, id: string, options: RequestOptions): Promise<Outcome<{ readonly id: string }>> {
  const plain = (json: unknown): unknown => ((json as { readonly asked?: unknown } | null)?.asked === true ? { id } : undefined);
  const path = `/v1/calls/${toPathPart(id)}/cancel`;
  return ask({ method: 'POST', path, body: {}, effects: 'idempotent', plain, options }) as Promise<Outcome<{ readonly id: string }>>;
}

/** Runs a call again. A second request for it is a conflict while the first runs, so it is not sent twice. */
export function rerunCall(ask: Ask, id: string, from: string | undefined, options: RequestOptions): Promise<Outcome> {
  const body = from === undefined ? {} : { from };
  return ask({ method: 'POST', path: `/v1/calls/${toPathPart(id)}/rerun`, body, form: 'outcome', effects: 'writes', options });
}

/** Returns what an event says; undefined for one that is not known or cannot be read. */
function readNews(event: string, data: string): CallNews | undefined {
  if (event !== 'call' && event !== 'progress') return undefined;
  try {
    const read = JSON.parse(data) as { readonly id?: unknown };
    if (typeof read.id !== 'string') return undefined;
    return event === 'call'
      ? { is: 'call', call: read as ListedCall }
      : { is: 'progress', ...(read as { readonly id: string; readonly tool: string }) };
  } catch {
    return undefined;
  }
}
