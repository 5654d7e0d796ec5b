import type { Outcome } from '../../core/outcome/index.ts';
import { encodeForm } from './forms.ts';
import type { Gate } from './gate.ts';
import { makeCall, type ReadyCall } from './make-call.ts';
import { securityHeaders } from './security-headers.ts';

const encoder = new TextEncoder();

/**
 * Makes a call and tells of it as server-sent events: `progress` whenever the tool says how far it is, `outcome` at the end, in the form
 * the request selects, and comments in between so that nobody on the way takes the silence for an end. Whoever stops reading stops the call.
 */
export function streamCall(gate: Gate, ready: ReadyCall): Response {
  const { settings, inFlight } = gate;
  const reading = new AbortController();
  const caller = AbortSignal.any([ready.asked.signal, reading.signal]);
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      const send = (text: string): void => {
        if (!reading.signal.aborted) stream.enqueue(encoder.encode(text));
      };
      send(': the call has begun\n\n');
      const heartbeat = setInterval(() => send(': still running\n\n'), settings.heartbeatMs);
      const tell = (outcome: Outcome): void => {
        send(toEvent('outcome', encodeForm(outcome, ready.form)));
      };
      void inFlight
        .run(caller, (signal) => makeCall(gate, ready, signal, (progress) => send(toEvent('progress', progress))))
        .then(tell)
        .finally(() => {
          clearInterval(heartbeat);
          if (!reading.signal.aborted) stream.close();
        });
    },
    cancel: (reason) => reading.abort(reason),
  });
  const headers = { ...securityHeaders, ...ready.echo, 'content-type': 'text/event-stream', 'toolpact-dialect': ready.form.name };
  return new Response(body, { headers: { ...headers, 'x-accel-buffering': 'no', ...traceHeader(ready) } });
}

function traceHeader({ context: { traceId } }: ReadyCall): Record<string, string> {
  return traceId === undefined ? {} : { 'x-trace-id': traceId };
}

/** JSON has no line breaks of its own, so one `data` line holds it all. */
function toEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
