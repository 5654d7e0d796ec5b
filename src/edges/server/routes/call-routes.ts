import { isRecord, peek } from '../../../core/json/index.ts';
import type { JsonObject, Outcome } from '../../../core/outcome/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline, type StopTimer, systemClock } from '../../../core/time/index.ts';
import { body, codedAnswer, operation } from '../openapi/operation.ts';
import { callParameters, formParameters, keyParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { callHeaders, encodeOutcome, toHeader } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { type CallFacts, makeCall, type PreparedCall, prepareCall } from '../request/make-call.ts';
import type { RequestHead } from '../request/request-head.ts';
import { encodeFormat, type ResponseFormat } from '../request/response-format.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { checkExecution, type Execution, readExecution } from './execution.ts';

const calling = { method: 'POST', selectsFormat: true, startsWork: true, read: 'json' } as const;
const text: JsonObject = { type: 'string' };

/** The JSON Schema of one action in the request form of older agents. */
export const executionSchema = object(
  {
    action: text,
    params: { type: 'object' },
    timeout: { type: 'number', exclusiveMinimum: 0, description: 'Seconds for the call, at most what the server allows.' },
    message_id: text,
    worker_id: text,
    session_id: text,
    trace_id: text,
  },
  ['action'],
);

/** The routes that make one call. The document describes the first once per tool. */
export const callRoutes: readonly Route[] = [
  {
    ...calling,
    path: '/v1/tools/{name}',
    format: 'outcome',
    run(request, server) {
      const { value: args = {}, param: name } = request;
      if (isRecord(args)) return answerCall(request, server, { name, args });
      return server.refuse(request, 'invalid_input', 'The body must be a JSON object with the arguments of the tool.');
    },
  },
  {
    ...calling,
    path: '/v1/execute',
    format: 'coded',
    run(request, server) {
      return refuseExecution(request, server) ?? answerCall(request, server, readExecution(request.value as Execution, server.toolbox));
    },
    docs: {
      group: 'More ways to call',
      operation: operation(
        'execute',
        'Call a tool in the request form of older agents',
        'Answers in the `coded` envelope unless another dialect is selected.',
        {
          parameters: [keyParameter, ...callParameters, ...formParameters],
          requestBody: body('The action and its parameters.', executionSchema, { action: 'add', params: { a: 1, b: 2 } }),
          responses: codedAnswer('The call did what was asked; `code` is 0.'),
        },
      ),
    },
  },
];

/** Refuses a request that is no action. */
export function refuseExecution(request: RouteRequest, server: ServerState): HttpAnswer | undefined {
  const issues = checkExecution(request.value);
  if (issues.length === 0) return undefined;
  const message = `The request is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
  const malformed = issues.some(({ path: [field], problem }) => field === undefined || (field === 'action' && problem !== 'missing'));
  return server.refuse(request, 'invalid_input', message, { issues, malformed, ...factsOf(request.value) });
}

/** Reads the tool and the trace id of a request that is refused. */
function factsOf(value: unknown): { readonly tool?: string; readonly traceId?: string } {
  if (!isRecord(value)) return {};
  const { action, trace_id = peek(value.params, 'trace_id') } = value;
  return {
    ...(typeof action === 'string' && { tool: action.slice(0, 64) }),
    ...(typeof trace_id === 'string' && trace_id !== '' && { traceId: trace_id.slice(0, 512) }),
  };
}

function answerCall(request: RouteRequest, server: ServerState, facts: CallFacts): HttpAnswer | Promise<HttpAnswer> {
  const { format } = request;
  const call = prepareCall(server, request, facts);
  if (isAnswer(call)) return call;
  if (wantsStream(request.head)) return streamCall(server, call, format);
  return makeCall(server, call, (outcome) => encodeOutcome(outcome, format, call.echo));
}

/** Finds a stream that a client says it does not take. */
const noStream = /text\/event-stream\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

function wantsStream({ header }: RequestHead): boolean {
  const accept = header('accept');
  return accept?.includes('text/event-stream') === true && !noStream.test(accept);
}

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
function streamCall(server: ServerState, call: PreparedCall, format: ResponseFormat): Promise<HttpAnswer> {
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
