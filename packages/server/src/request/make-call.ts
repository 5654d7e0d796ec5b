import type { CallContext, Outcome, Progress } from 'toolpact';
import type { Identity } from '../auth/identity.ts';
import { noteCall } from '../inspector/wire.ts';
import type { ServedToolbox } from '../server-options.ts';
import { authorizeResultRead, readsStoredResult } from './authorize-result-read.ts';
import { capTimeout } from './cap-timeout.ts';
import type { Client } from './client.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { callerContext } from './read-context.ts';
import { refusedOutcome, traceOf } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import { runWithin } from './run-within.ts';
import { meantBy, searchContext } from './search-tools.ts';
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
  /** The context that the request states, without its caller. */
  readonly context: CallContext;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>>;
  readonly make?: MakeCall | undefined;
}

/** Makes a call in another way than by its name and arguments. */
type MakeCall = (toolbox: ServedToolbox, context: CallContext) => Promise<Outcome> | undefined;

/** The facts about a call that a request states outside of its headers. */
export interface CallFacts {
  readonly name: string;
  readonly args: unknown;
  /** The context that the body states; headers win. */
  readonly context?: CallContext;
  /** The body, which may bring a trace id. */
  readonly body?: unknown;
  /** @default a call of the tool with its arguments */
  readonly make?: MakeCall;
}

/** Checks that the caller may make a call, and reads its headers. */
export function prepareCall(
  server: ServerState,
  request: ServerRequest & { readonly identity: Identity },
  { name: statedName, args: statedArgs, context: bodyContext, body, make }: CallFacts,
): PreparedCall | HttpAnswer {
  const { head, identity } = request;
  const { name: requestedName, args } = meantBy(server.toolbox, statedName, statedArgs);
  const name = server.permit(request, identity, requestedName) ?? requestedName;
  if (typeof name !== 'string') return name;
  const headers = server.contextOf(request, body);
  if (isAnswer(headers)) return headers;
  const { context: headerContext, echo } = headers;
  const context = bodyContext === undefined ? headerContext : capTimeout({ ...bodyContext, ...headerContext }, bodyContext.timeoutMs);
  return { head, client: head.client(), identity, name, args, context, echo, make };
}

/** Makes a call. Never rejects, like the toolbox itself; a denial is reported to the audit. */
export async function makeCall(server: ServerState, call: PreparedCall, onProgress?: (progress: Progress) => void): Promise<Outcome> {
  const outcome = await server.inFlight.run(
    call.client,
    async () => (await refuseResultRead(server, call)) ?? server.contain(call.name, () => runCall(server, call, onProgress)),
  );
  noteCall(outcome.meta.invocationId);
  if (outcome.status === 'error' && outcome.error.kind === 'denied') {
    auditDenial(server, call, 'denied', outcome.error.message, call.name, outcome.meta.traceId ?? '');
  }
  return outcome;
}

/** Refuses a call that reads a stored result which its caller may not read. */
async function refuseResultRead(server: ServerState, call: PreparedCall): Promise<Outcome | undefined> {
  const { head, identity, name, args, context } = call;
  if (!readsStoredResult(identity, name)) return undefined;
  const refused = await authorizeResultRead(server.toolbox, identity, args);
  if (refused === undefined) return undefined;
  const { kind, message, maker } = refused;
  const traceId = context.traceId ?? traceOf(head);
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

function runCall(server: ServerState, call: PreparedCall, onProgress: ((progress: Progress) => void) | undefined): Promise<Outcome> {
  const { head, client, identity, name, args } = call;
  const { toolbox, settings } = server;
  const context: CallContext = {
    ...capTimeout(call.context, settings.maxTimeoutMs),
    ...callerContext(identity),
    ...searchContext(identity),
    signal: client.signal,
    ...(onProgress !== undefined && { onProgress }),
  };
  const run = (): Promise<Outcome> => call.make?.(toolbox, context) ?? toolbox.call(name, args, context as CallContext<never>);
  return settings.within === undefined ? run() : runWithin(settings.within, head, run);
}
