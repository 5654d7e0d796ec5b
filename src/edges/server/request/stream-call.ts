import type { Outcome } from '../../../core/outcome/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline, type StopTimer, systemClock } from '../../../core/time/index.ts';
import type { HttpAnswer } from './http-answer.ts';
import { encodeFormat, type ResponseFormat, toHeader } from './http-answer.ts';
import { makeCall, type PreparedCall } from './make-call.ts';
import { securityHeaders } from './security-headers.ts';
import type { ServerState } from './server-state.ts';

const encoder = new TextEncoder();
/** So many bytes may wait for a slow reader. */
const maxWaiting = 262_144;
/** A call that ends sooner than this, and reports no progress, is answered with all of its events at once. */
const beginMs = 10;
const begun = ': the call has begun\n\n';

/**
 * Makes a call and answers with server-sent events: `progress` whenever the tool reports it, `outcome` at the end, in the format
 * that the request selects, and comments in between, so that no proxy takes the silence for an end. A client that stops reading stops the call;
 * one that reads too slowly misses progress, and never the outcome.
 */
export function streamCall(server: ServerState, call: PreparedCall, format: ResponseFormat): Promise<HttpAnswer> {
  const { settings } = server;
  const { client, context, echo } = call;
  return new Promise((resolve) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    let stopHeartbeat: StopTimer | undefined;
    let isLeft = false;
    const send = (text: string): void => {
      if (!isLeft) stream?.enqueue(encoder.encode(text));
    };
    const sendIfRead = (text: string): void => {
      if ((stream?.desiredSize ?? 0) > 0) send(text);
    };
    const begin = (): void => {
      if (stream !== undefined) return;
      disarmDeadline(beginning);
      const source: UnderlyingDefaultSource<Uint8Array> = {
        start: (controller) => {
          stream = controller;
        },
        cancel: () => {
          isLeft = true;
          client.stop(new DOMException('The client stopped reading.', 'AbortError'));
        },
      };
      const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }));
      send(begun);
      stopHeartbeat = systemClock.every(settings.heartbeatMs, () => sendIfRead(': still running\n\n'));
      resolve({ status: 200, headers: headersOf(context?.traceId), body });
    };
    // Streams that begin within the same moments share one timer.
    const beginning: DeadlineEntry = {
      deadlineAt: 0,
      deadlineLane: undefined,
      earlier: undefined,
      later: undefined,
      onDeadline: begin,
    };
    const headersOf = (traceId: string | undefined): Record<string, string> => ({
      ...securityHeaders,
      ...echo,
      'content-type': 'text/event-stream',
      'toolpact-dialect': format.name,
      'x-accel-buffering': 'no',
      ...(traceId !== undefined && { 'x-trace-id': toHeader(traceId) }),
    });
    const onProgress = (progress: object): void => {
      begin();
      sendIfRead(toEvent('progress', progress));
    };
    const end = (outcome: Outcome): void => {
      const last = toEvent('outcome', encodeFormat(outcome, format));
      disarmDeadline(beginning);
      stopHeartbeat?.();
      if (stream === undefined) resolve({ status: 200, headers: headersOf(outcome.meta.traceId), body: `${begun}${last}` });
      send(last);
      if (!isLeft) stream?.close();
    };
    armDeadline(beginning, beginMs, performance.now());
    void makeCall(server, call, end, onProgress);
  });
}

/** JSON has no line breaks of its own, so one `data` line holds it all. */
function toEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
