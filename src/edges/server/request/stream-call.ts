import type { Outcome } from '../../../core/outcome/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline, type StopTimer, systemClock } from '../../../core/time/index.ts';
import { callHeaders, toHeader } from './encode-outcome.ts';
import type { HttpAnswer } from './http-answer.ts';
import { makeCall, type PreparedCall } from './make-call.ts';
import { encodeFormat, type ResponseFormat } from './response-format.ts';
import type { ServerState } from './server-state.ts';

const encoder = new TextEncoder();
/** The most bytes that may wait for a slow reader. */
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
  return new Promise((resolve) => {
    const events = new CallEvents(server, call, format, resolve);
    // Streams that begin within the same moments share one timer.
    armDeadline(events, beginMs, performance.now());
    void makeCall(
      server,
      call,
      (outcome) => events.end(outcome),
      (progress) => events.report(progress),
    );
  });
}

/** The events of one call. A class, because most calls end before their stream begins, and need none of the functions that a stream is made of. */
class CallEvents implements DeadlineEntry {
  deadlineAt = 0;
  lane: DeadlineEntry['lane'];
  earlier: DeadlineEntry['earlier'];
  later: DeadlineEntry['later'];
  readonly #server: ServerState;
  readonly #call: PreparedCall;
  readonly #format: ResponseFormat;
  readonly #resolve: (answer: HttpAnswer) => void;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #stopHeartbeat: StopTimer | undefined;
  #isLeft = false;

  constructor(server: ServerState, call: PreparedCall, format: ResponseFormat, resolve: (answer: HttpAnswer) => void) {
    this.#server = server;
    this.#call = call;
    this.#format = format;
    this.#resolve = resolve;
  }

  onDeadline(): void {
    this.#begin();
  }

  report(progress: object): void {
    this.#begin();
    this.#sendIfRead(toEvent('progress', progress));
  }

  end(outcome: Outcome): void {
    const last = toEvent('outcome', encodeFormat(outcome, this.#format));
    disarmDeadline(this);
    if (this.#stream === undefined) this.#answer(outcome.meta.traceId, begun + last);
    this.#stopHeartbeat?.();
    this.#send(last);
    if (!this.#isLeft) this.#stream?.close();
  }

  #begin(): void {
    if (this.#stream !== undefined) return;
    disarmDeadline(this);
    const { client, context } = this.#call;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#stream = controller;
      },
      cancel: () => {
        this.#isLeft = true;
        client.stop(new DOMException('The client stopped reading.', 'AbortError'));
      },
    };
    const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }));
    this.#send(begun);
    this.#stopHeartbeat = systemClock.every(this.#server.settings.heartbeatMs, () => this.#sendIfRead(': still running\n\n'));
    this.#answer(context?.traceId, body);
  }

  #answer(traceId: string | undefined, body: HttpAnswer['body']): void {
    const headers = callHeaders('text/event-stream', this.#format.name);
    headers['x-accel-buffering'] = 'no';
    if (traceId !== undefined) headers['x-trace-id'] = toHeader(traceId);
    if (this.#call.echo !== undefined) Object.assign(headers, this.#call.echo);
    this.#resolve({ status: 200, headers, body });
  }

  #sendIfRead(text: string): void {
    if ((this.#stream?.desiredSize ?? 0) > 0) this.#send(text);
  }

  #send(text: string): void {
    if (!this.#isLeft) this.#stream?.enqueue(encoder.encode(text));
  }
}

/** JSON has no line breaks of its own, so one `data` line holds it all. */
function toEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
