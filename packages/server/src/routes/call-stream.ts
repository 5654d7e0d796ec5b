import type { CallFilter, EventOf, ListedCall } from 'toolpact';
import { insideOf, noTenant } from 'toolpact/extend';
import { comparePlaces, createBoundedMap, createCallFeed, type FeedLook, type FeedPlace, placeOf, systemClock } from 'toolpact/internal';
import type { ProgressNews } from '../inspector/page-answers.ts';
import type { HttpAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { RouteRequest } from '../request/route.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';
import { refuseWithoutStore } from './ask-store.ts';

const encoder = new TextEncoder();
/** The most bytes that may wait for a slow reader; more ends the stream, and the client comes back where it was. */
const maxWaiting = 1_048_576;
/** The most calls of this process that are remembered as heard, and the most characters of a message that are sent. */
const maxHeard = 10_000;
const maxText = 2_000;
const nothing: FeedLook = { changed: [], moved: [] };
/** The most streams of a process, and of one tenant in it: each asks the store by itself. */
const maxStreams = 1_000;
const maxOfTenant = 100;
/** The tenants of open streams, once for each. */
const open = new WeakMap<ServerState, string[]>();

/** Answers with events of calls until the client goes or the server stops. */
export function streamCalls(
  server: ServerState,
  request: RouteRequest,
  filter: CallFilter,
  maySee: (call: ListedCall) => boolean,
): HttpAnswer {
  const { head, identity } = request;
  const tenantId = filter.tenantId ?? identity.tenantId;
  const toolbox = server.toolboxOf({ ...identity, tenantId });
  const supply = insideOf(toolbox).calls;
  if (supply === undefined) return refuseWithoutStore(server, request);
  const streams = open.get(server) ?? [];
  open.set(server, streams);
  if (streams.length >= maxStreams || streams.filter((owner) => owner === identity.tenantId).length >= maxOfTenant)
    return server.refuse(request, 'rate_limited', 'Too many streams of calls are open.', { retryAfterMs: 10_000 });
  streams.push(identity.tenantId);
  const { tool, status, kind, runId, key, replayOf } = filter;
  const wanted = Object.entries({ tool, status, kind, runId, key, replayOf });
  const isOneOf = (given: string | readonly string[] | undefined, value: unknown): boolean =>
    given === undefined || [given].flat().some((one) => one === value);
  const isWanted = (call: ListedCall): boolean =>
    maySee(call) && wanted.every(([name, value]) => isOneOf(value, call[name as keyof ListedCall]));
  const last = readPlace(head.header('last-event-id'));
  const feed = createCallFeed(supply, last);
  const heard = createBoundedMap<true>({ maxEntries: maxHeard, now: Date.now });
  const gone = new AbortController();
  const body = new ReadableStream<Uint8Array>(
    {
      start(stream) {
        // The stream of a reader that lags behind ends. When the reader comes back, it gets the events that it has missed.
        let lags = false;
        const send = (text: string): void => {
          lags ||= (stream.desiredSize ?? 0) <= 0;
          if (!gone.signal.aborted && !lags) stream.enqueue(encoder.encode(text));
        };
        // A client that loses its connection before the first call goes on from here. It never goes back: each event then brings it further.
        let place: FeedPlace = last ?? { at: Date.now() };
        send(toEvent('watching', {}, place));
        let isStalled = false;
        const stopBeat = systemClock.every(server.settings.heartbeatMs, () => send(': still watching\n\n'), { background: true });
        const stopListening = toolbox.subscribe((event) => {
          if (event.type !== 'progress' || (event.tenantId ?? noTenant) !== tenantId) return;
          heard.set(event.invocationId, true, Number.POSITIVE_INFINITY);
          if (maySee(event as unknown as ListedCall) && isOneOf(tool, event.tool) && isOneOf(runId, event.runId))
            send(toEvent('progress', toProgress(event)));
        });
        const watch = async (signal: AbortSignal): Promise<void> => {
          const over = AbortSignal.any([signal, gone.signal]);
          while (!over.aborted && !lags && (stream.desiredSize ?? 0) > 0) {
            // A store that does not answer now is asked again; the reader is told, because silence would look like no calls.
            const found = await feed.look().catch(() => undefined);
            if ((found === undefined) !== isStalled) {
              isStalled = !isStalled;
              send(toEvent(isStalled ? 'stalled' : 'watching', {}, place));
            }
            const { changed, moved } = found ?? nothing;
            for (const call of changed) {
              if (!isWanted(call)) continue;
              if (comparePlaces(placeOf(call), place) > 0) place = placeOf(call);
              send(toEvent('call', call, place));
            }
            // Progress of calls in this process was sent at once, by the listener above.
            for (const call of moved) if (isWanted(call) && heard.get(call.id) === undefined) send(toEvent('progress', toStored(call)));
            await feed.next(over);
          }
        };
        void server.inFlight.wait(head.client(), watch).finally(() => {
          streams.splice(streams.indexOf(identity.tenantId), 1);
          feed.close();
          stopBeat();
          stopListening();
          if (!gone.signal.aborted) stream.close();
          gone.abort();
        });
      },
      cancel: () => gone.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }),
  );
  const headers = { ...securityHeaders, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', 'x-trace-id': traceOf(head) };
  return { status: 200, headers, body };
}

function toProgress({ invocationId: id, tool, message, done, total }: EventOf<'progress'>): ProgressNews {
  return { id, tool, message: message?.slice(0, maxText), done, total };
}

/** The progress of a call of another process, as its store has it. */
function toStored({ id, tool, progress }: ListedCall): ProgressNews {
  return { id, tool, message: progress?.message, done: progress?.done, total: progress?.total };
}

function toEvent(event: string, data: object, place?: FeedPlace): string {
  return `${place === undefined ? '' : `id: ${writePlace(place)}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function writePlace({ at, id }: FeedPlace): string {
  return id === undefined ? String(at) : `${at}-${id}`;
}

/** Reads where a client that comes back stands; one whose event id makes no sense begins anew. */
function readPlace(text: string | undefined): FeedPlace | undefined {
  const [, at, id] = /^(\d{1,15})(?:-(.*))?$/.exec(text ?? '') ?? [];
  return at === undefined ? undefined : { at: Number(at), id };
}
