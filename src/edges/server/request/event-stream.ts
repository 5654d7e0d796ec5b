import type { Outcome } from '../../../core/outcome/index.ts';
import { toHeader } from './encode-outcome.ts';
import type { Gate } from './gate.ts';
import { makeCall, type ReadyCall } from './make-call.ts';
import { encodeForm } from './response-format.ts';
import { securityHeaders } from './security-headers.ts';

const encoder = new TextEncoder();
/** As much may wait for a reader that is slow. */
const mostWaiting = 262_144;

/**
 * Makes a call and tells of it as server-sent events: `progress` whenever the tool says how far it is, `outcome` at the end, in the form
 * the request selects, and comments in between so that nobody on the way takes the silence for an end. Whoever stops reading stops the call;
 * whoever reads too slowly misses progress, and never the outcome.
 */
export function streamCall(gate: Gate, ready: ReadyCall): Response {
  const { settings, inFlight } = gate;
  const reading = new AbortController();
  const caller = AbortSignal.any([ready.asked.signal, reading.signal]);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(stream) {
      const send = (text: string): void => {
        if (!reading.signal.aborted) stream.enqueue(encoder.encode(text));
      };
      const sendIfRead = (text: string): void => {
        if ((stream.desiredSize ?? 0) > 0) send(text);
      };
      send(': the call has begun\n\n');
      const heartbeat = setInterval(() => sendIfRead(': still running\n\n'), settings.heartbeatMs);
      const tell = (outcome: Outcome): void => {
        send(toEvent('outcome', encodeForm(outcome, ready.form)));
      };
      void inFlight
        .run(caller, (signal) => makeCall(gate, ready, signal, (progress) => sendIfRead(toEvent('progress', progress))))
        .then(tell)
        .finally(() => {
          clearInterval(heartbeat);
          if (!reading.signal.aborted) stream.close();
        });
    },
    cancel: (reason) => reading.abort(reason),
  };
  const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }));
  const headers = { ...securityHeaders, ...ready.echo, 'content-type': 'text/event-stream', 'toolpact-dialect': ready.form.name };
  return new Response(body, { headers: { ...headers, 'x-accel-buffering': 'no', ...traceHeader(ready) } });
}

function traceHeader({ context: { traceId } }: ReadyCall): Record<string, string> {
  return traceId === undefined ? {} : { 'x-trace-id': toHeader(traceId) };
}

/** JSON has no line breaks of its own, so one `data` line holds it all. */
function toEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
