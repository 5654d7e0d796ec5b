import type { CallContext, Progress } from '../../../core/contract/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { Identity } from '../auth/identity.ts';
import { authorizeResultRead, readsStoredResult, resultReader } from './authorize-result-read.ts';
import type { Client } from './client.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { limitTime } from './limit-time.ts';
import { refusedOutcome, traceOf } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import type { ServerRequest } from './server-request.ts';
import type { ServerState } from './server-state.ts';

/** A call whose caller may make it. */
export interface PreparedCall {
  readonly head: RequestHead;
  /** What stops the call when it fires. */
  readonly client: Client;
  readonly identity: Identity;
  /** The exact name, or what was asked for if there is no such tool: the toolbox then answers with the nearest names. */
  readonly name: string;
  readonly args: unknown;
  /** What the request says about the call, without its caller; undefined when it says nothing. */
  readonly context: CallContext | undefined;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>> | undefined;
}

/** What a request says about a call besides its headers. */
export interface CallFacts {
  readonly name: string;
  readonly args: unknown;
  /** What the body says about the call; headers win. */
  readonly context?: CallContext;
  /** The body, which may bring a trace id. */
  readonly body?: unknown;
}

type OnProgress = (progress: Progress) => void;

/** Checks that the caller may make a call, and reads its headers. */
export function prepareCall(
  server: ServerState,
  request: ServerRequest & { readonly identity: Identity },
  { name: asked, args, context: own, body }: CallFacts,
): PreparedCall | HttpAnswer {
  const { head, identity } = request;
  const name = server.permit(request, identity, asked) ?? asked;
  if (typeof name !== 'string') return name;
  const read = server.contextOf(request, body);
  if (isAnswer(read)) return read;
  const { context: stated, echo } = read;
  const context = own === undefined ? stated : limitTime({ ...own, ...stated }, own.timeoutMs);
  return { head, client: head.client(), identity, name, args, context, echo };
}

/**
 * Makes a call, and gives what `conclude` makes of its outcome. Never rejects unless `conclude` throws, like the toolbox itself; a denial is
 * reported to the audit.
 */
export function makeCall<TAnswer>(
  server: ServerState,
  call: PreparedCall,
  conclude: (outcome: Outcome) => TAnswer,
  onProgress?: OnProgress,
): Promise<TAnswer> {
  server.inFlight.enter(call);
  const running = call.name === resultReader ? readOrRun(server, call, onProgress) : runContained(server, call, onProgress);
  return running.then((outcome) => {
    server.inFlight.leave(call);
    if (outcome.status === 'error' && outcome.error.kind === 'denied') {
      auditDenial(server, call, 'denied', outcome.error.message, call.name, outcome.meta.traceId ?? '');
    }
    return conclude(outcome);
  });
}

/** Makes a call that reads a stored result, if its caller may read that. */
async function readOrRun(server: ServerState, call: PreparedCall, onProgress: OnProgress | undefined): Promise<Outcome> {
  return (await refuseRead(server, call)) ?? runContained(server, call, onProgress);
}

async function refuseRead(server: ServerState, call: PreparedCall): Promise<Outcome | undefined> {
  const { head, identity, name, args, context } = call;
  if (!readsStoredResult(identity, name)) return undefined;
  const refused = await authorizeResultRead(server.toolbox, identity, args);
  if (refused === undefined) return undefined;
  const { kind, message, maker } = refused;
  const traceId = context?.traceId ?? traceOf(head);
  if (maker !== undefined) auditDenial(server, call, 'forbidden', message, maker, traceId);
  return refusedOutcome(kind, { message }, traceId, name);
}

function auditDenial(
  { audit }: ServerState,
  { head: { method, path }, identity }: PreparedCall,
  reason: 'denied' | 'forbidden',
  message: string,
  tool: string,
  traceId: string,
): void {
  const { scopes: _, ...caller } = identity;
  audit({ at: Date.now(), reason, message, method, path, traceId, tool, ...caller });
}

function runContained(server: ServerState, call: PreparedCall, onProgress: OnProgress | undefined): Promise<Outcome> {
  return server.contain(call.name, () => runCall(server, call, onProgress));
}

function runCall(server: ServerState, call: PreparedCall, onProgress: OnProgress | undefined): Promise<Outcome> {
  const { client, identity, name, args, context } = call;
  const { within, maxTimeoutMs } = server.settings;
  const view = server.viewOf(identity, client);
  const limited = context && limitTime(context, maxTimeoutMs);
  const own = onProgress === undefined ? limited : { ...limited, onProgress };
  if (within === undefined) return view.call(name as never, args as never, own as never) as Promise<Outcome>;
  return runWithin(within, call.head, () => view.call(name as never, args as never, own as never) as Promise<Outcome>);
}

const carried = ['traceparent', 'tracestate', 'baggage'] as const;

/** Makes calls inside the trace that a request brings. A failing tracer must not cost the call. */
export function runWithin<TValue>(
  within: NonNullable<ServerState['settings']['within']>,
  { header }: Pick<RequestHead, 'header'>,
  call: () => Promise<TValue>,
): Promise<TValue> {
  let running: Promise<TValue> | undefined;
  const run = (): Promise<TValue> => {
    running ??= call();
    return running;
  };
  try {
    const headers = Object.fromEntries(carried.flatMap((name) => [[name, header(name)]].filter(([, value]) => value !== undefined)));
    void Promise.resolve(within(headers, run)).catch(() => undefined);
  } catch {
    // The call is made below, outside of any trace.
  }
  return run();
}
