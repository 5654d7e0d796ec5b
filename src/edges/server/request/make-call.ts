import type { CallContext, Progress } from '../../../core/contract/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { Identity } from '../auth/identity.ts';
import type { ServedToolbox } from '../server-options.ts';
import { authorizeResultRead, readsStoredResult, resultReaders } from './authorize-result-read.ts';
import { capTimeout } from './cap-timeout.ts';
import type { Client } from './client.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import type { Work } from './in-flight.ts';
import { callerContext } from './read-context.ts';
import { refusedOutcome, traceOf } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import { runWithin } from './run-within.ts';
import type { ServerRequest } from './server-request.ts';
import type { ServerState } from './server-state.ts';

/** A call whose caller may make it. */
export interface PreparedCall {
  readonly head: RequestHead;
  /** The client that waits for the call. When its signal fires, the call stops. */
  readonly client: Client;
  readonly identity: Identity;
  /** The exact name, or what was asked for if there is no such tool: the toolbox then answers with the nearest names. */
  readonly name: string;
  readonly args: unknown;
  /** What the request says about the call, without its caller; undefined when it says nothing. */
  readonly context: CallContext | undefined;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>> | undefined;
  readonly make?: MakeCall | undefined;
  place: Work['place'];
}

/** Makes a call in another way than by its name and arguments. */
type MakeCall = (toolbox: ServedToolbox, context: CallContext | undefined) => Promise<Outcome> | undefined;

/** What a request says about a call besides its headers. */
export interface CallFacts {
  readonly name: string;
  readonly args: unknown;
  /** What the body says about the call; headers win. */
  readonly context?: CallContext;
  /** The body, which may bring a trace id. */
  readonly body?: unknown;
  /** @default a call of the tool with its arguments */
  readonly make?: MakeCall;
}

type OnProgress = (progress: Progress) => void;

/** Checks that the caller may make a call, and reads its headers. */
export function prepareCall(
  server: ServerState,
  request: ServerRequest & { readonly identity: Identity },
  { name: asked, args, context: own, body, make }: CallFacts,
): PreparedCall | HttpAnswer {
  const { head, identity } = request;
  const name = server.permit(request, identity, asked) ?? asked;
  if (typeof name !== 'string') return name;
  const read = server.contextOf(request, body);
  if (isAnswer(read)) return read;
  const { context: stated, echo } = read;
  const context = own === undefined ? stated : capTimeout({ ...own, ...stated }, own.timeoutMs);
  return { head, client: head.client(), identity, name, args, context, echo, make, place: 0 };
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
  const running = resultReaders.has(call.name) ? readOrRun(server, call, onProgress) : runFor(server, call, onProgress);
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
  return (await refuseRead(server, call)) ?? runFor(server, call, onProgress);
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

function runFor(server: ServerState, call: PreparedCall, onProgress: OnProgress | undefined): Promise<Outcome> {
  return server.contain(call.name, () => runCall(server, call, onProgress));
}

function runCall(server: ServerState, call: PreparedCall, onProgress: OnProgress | undefined): Promise<Outcome> {
  const { client, identity, name, args, context } = call;
  const { within, maxTimeoutMs } = server.settings;
  const limited = context && capTimeout(context, maxTimeoutMs);
  const said = onProgress === undefined ? limited : { ...limited, onProgress };
  const view = client.isLasting ? server.viewOf(identity, client) : server.toolbox;
  const own = client.isLasting ? said : { ...said, ...callerContext(identity), signal: client.signal };
  if (within === undefined && call.make === undefined) return view.call(name as never, args as never, own as never) as Promise<Outcome>;
  const run = (): Promise<Outcome> => call.make?.(view, own) ?? (view.call(name as never, args as never, own as never) as Promise<Outcome>);
  return within === undefined ? run() : runWithin(within, call.head, run);
}
