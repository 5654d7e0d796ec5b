import type { CallContext, Progress } from '../../../core/contract/index.ts';
import { classify, type Outcome } from '../../../core/outcome/index.ts';
import { type ContainStraysOptions, runContained } from '../../../parts/guards/contain-strays.ts';
import { type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { ServedToolbox } from '../server-options.ts';
import { authorizeResultRead, readsStoredResult, resultReaders } from './authorize-result-read.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import type { Client, Work } from './in-flight.ts';
import { callerContext, createDemandTenant, createReadContext } from './read-context.ts';
import { type Refuse, refusedOutcome, traceOf } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
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

/** Lowers the time that a caller states to the longest that is allowed. What states no time stays as it is. */
export function capTimeout<TStated extends { readonly timeoutMs?: number }>(stated: TStated, maxTimeoutMs: number | undefined): TStated {
  return stated.timeoutMs === undefined || maxTimeoutMs === undefined || stated.timeoutMs <= maxTimeoutMs
    ? stated
    : { ...stated, timeoutMs: maxTimeoutMs };
}

type Steps = Pick<ServerState, 'permit' | 'demandTenant' | 'contextOf' | 'toolboxOf' | 'viewOf' | 'contain'>;

/** Makes the steps that routes share. */
export function createSteps(toolbox: ServedToolbox, settings: ServerSettings, refuse: Refuse): Steps {
  const bound = new Map<string, ServedToolbox>();
  const demandTenant = createDemandTenant(settings, refuse);
  const onStray: NonNullable<ContainStraysOptions['onStray']> = ({ tool, error }) =>
    toolbox.emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message });
  return {
    // An answer to a request is a flow of its own, which has waited for the body.
    contain: settings.containStrays === false ? (_, run) => run() : (tool, run) => runContained(tool, run, onStray, true),
    permit(request, identity, name) {
      const found = toolbox.resolveName(name);
      // A caller that may call a few tools learns nothing about the others, not even whether they exist.
      if (found === undefined ? mayCallAll(identity) : mayCall(identity, found)) return found;
      return refuse(request, 'forbidden', 'This credential may not call this tool.', {
        denied: 'forbidden',
        identity,
        tool: name.slice(0, 64),
        ...(found !== undefined && { meant: found }),
      });
    },
    demandTenant,
    contextOf: createReadContext(toolbox, settings, refuse, demandTenant),
    toolboxOf({ tenantId }) {
      const known = bound.get(tenantId);
      if (known !== undefined) return known;
      const own = toolbox.with({ tenantId });
      if (bound.size >= 256) bound.clear();
      bound.set(tenantId, own);
      return own;
    },
    viewOf(identity, client) {
      const { tenantId, subject } = identity;
      const kept = client.kept as KeptView | undefined;
      // Another server may have answered the last request of this connection.
      if (kept?.toolbox === toolbox && kept.tenantId === tenantId && kept.subject === subject) return kept.view;
      const view = toolbox.with({ ...callerContext(identity), signal: client.signal } as CallContext<never>);
      client.kept = { toolbox, tenantId, subject, view } satisfies KeptView;
      return view;
    },
  };
}

/** A toolbox bound to a caller. Binding costs more than a call, and a connection brings many calls of one caller. */
interface KeptView {
  readonly toolbox: ServedToolbox;
  readonly tenantId: string;
  readonly subject: string | undefined;
  readonly view: ServedToolbox;
}
