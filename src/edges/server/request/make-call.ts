import type { CallContext, Progress } from '../../../core/contract/index.ts';
import { classify, type Outcome } from '../../../core/outcome/index.ts';
import { runContained } from '../../../parts/guards/contain-strays.ts';
import type { Identity } from '../auth/identity.ts';
import { authorizeResultRead, readsStoredResult, resultReader } from './authorize-result-read.ts';
import type { HttpAnswer } from './http-answer.ts';
import { isAnswer } from './http-answer.ts';
import { limitTime } from './limit-time.ts';
import { refusedOutcome, traceOf } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import type { ServerRequest } from './server-request.ts';
import type { ServerState } from './server-state.ts';

/** A call whose caller may make it. */
export interface PreparedCall {
  readonly head: RequestHead;
  readonly identity: Identity;
  /** The exact name, or what was asked for if there is no such tool: the toolbox then answers with the nearest names. */
  readonly name: string;
  readonly args: unknown;
  readonly context: CallContext;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>> | undefined;
  /** Whether the context says who calls, and nothing else. */
  readonly isPlain: boolean;
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
  const name = server.permit(request, identity, asked);
  if (isAnswer(name)) return name;
  const read = server.contextOf(request, identity, body);
  if (isAnswer(read)) return read;
  const { context, echo, isPlain } = read;
  return {
    head,
    identity,
    name: name ?? asked,
    args,
    context: own === undefined ? context : { ...own, ...context },
    echo,
    isPlain: isPlain && own === undefined,
  };
}

/** Makes a call. Never rejects, like the toolbox itself; a denial is reported to the audit. `signal` is that of the request where none is given. */
export async function makeCall(
  server: ServerState,
  call: PreparedCall,
  signal: AbortSignal = call.head.signal,
  onProgress?: OnProgress,
): Promise<Outcome> {
  const refused = call.name === resultReader ? await refuseRead(server, call) : undefined;
  const outcome = refused ?? (await contained(server, call.name, () => runCall(server, call, signal, onProgress)));
  if (outcome.status === 'error' && outcome.error.kind === 'denied') {
    auditDenial(server, call, 'denied', outcome.error.message, call.name, outcome.meta.traceId ?? '');
  }
  return outcome;
}

async function refuseRead(server: ServerState, call: PreparedCall): Promise<Outcome | undefined> {
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

/** Runs calls so that a promise that a tool forgot does not end the process: it is printed, and a `problem` for the listeners. */
export function contained<TValue>(
  { toolbox, settings }: Pick<ServerState, 'toolbox' | 'settings'>,
  tool: string,
  run: () => TValue,
): TValue {
  if (settings.containStrays === false) return run();
  return runContained(tool, run, ({ error }) =>
    toolbox.emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message }),
  );
}

function runCall(
  { toolbox, viewOf, settings: { within, maxTimeoutMs } }: ServerState,
  { head, identity, name, args, context, isPlain }: PreparedCall,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Promise<Outcome> {
  // Calls of one connection that differ in nothing but their arguments share one bound toolbox.
  if (isPlain && head.hasLastingSignal && onProgress === undefined && within === undefined && signal === head.signal) {
    return viewOf(identity, signal).call(name as never, args as never) as Promise<Outcome>;
  }
  const limited = limitTime(context, maxTimeoutMs);
  const own = onProgress === undefined ? { ...limited, signal } : { ...limited, signal, onProgress };
  const call = (): Promise<Outcome> => toolbox.call(name as never, args as never, own as never) as Promise<Outcome>;
  return within === undefined ? call() : runWithin(within, head, call);
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
