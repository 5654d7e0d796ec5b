import type { Outcome } from 'toolpact';
import { type StopTimer, systemClock } from 'toolpact/internal';
import { callHeaders } from './encode-outcome.ts';
import type { HttpAnswer } from './http-answer.ts';
import { makeCall, type PreparedCall } from './make-call.ts';
import { encodeFormat, type ResponseFormat } from './response-format.ts';
import type { ServerState } from './server-state.ts';

const encoder = new TextEncoder();
/** The most bytes that may wait for a slow reader. */
const maxWaiting = 262_144;
/** A call that ends sooner than this, and reports no progress, is answered with all of its events at once. */
const beginMs = 10;
const firstComment = ': the call has begun\n\n';

/**
 * Makes a call and answers with server-sent events: `progress` whenever the tool reports it, `outcome` at the end, in the format
 * that the request selects, and comments in between, so that no proxy takes the silence for an end. A client that stops reading stops the call;
 * one that reads too slowly misses progress, and never the outcome.
 */
export function streamCall(server: ServerState, call: PreparedCall, format: ResponseFormat): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    let stopHeartbeat: StopTimer | undefined;
    let isAbandoned = false;

    const answer = (traceId: string | undefined, body: HttpAnswer['body']): void => {
      const headers = { ...callHeaders('text/event-stream', format, traceId), 'x-accel-buffering': 'no', ...call.echo };
      resolve({ status: 200, headers, body });
    };
    const send = (text: string): void => {
      if (!isAbandoned) stream?.enqueue(encoder.encode(text));
    };
    const sendIfRead = (text: string): void => {
      if ((stream?.desiredSize ?? 0) > 0) send(text);
    };
    const begin = (): void => {
      if (stream !== undefined) return;
      stopBeginning();
      const source: UnderlyingDefaultSource<Uint8Array> = {
        start(controller) {
          stream = controller;
        },
        cancel() {
          isAbandoned = true;
          call.client.stop(new DOMException('The client stopped reading.', 'AbortError'));
        },
      };
      const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }));
      send(firstComment);
      stopHeartbeat = systemClock.every(server.settings.heartbeatMs, () => sendIfRead(': still running\n\n'));
      answer(call.context?.traceId, body);
    };
    const report = (progress: object): void => {
      begin();
      sendIfRead(toEvent('progress', progress));
    };
    const end = (outcome: Outcome): void => {
      const lastEvent = toEvent('outcome', encodeFormat(outcome, format));
      stopBeginning();
      stopHeartbeat?.();
      if (stream === undefined) answer(outcome.meta.traceId, firstComment + lastEvent);
      send(lastEvent);
      if (!isAbandoned) stream?.close();
    };

    const stopBeginning = systemClock.after(beginMs, begin);
    makeCall(server, call, report).then(end).catch(reject);
  });
}

/** JSON has no line breaks of its own, so one `data` line holds it all. */
function toEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
