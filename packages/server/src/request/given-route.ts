import type { BatchAnswer, BatchCall, CallContext, FailureKind, JsonObject, Outcome, Resources } from 'toolpact';
import type { DocParts } from '../openapi/doc-parts.ts';
import type { SessionOperation } from '../routes/session-tools.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { CallFacts } from './make-call.ts';
import type { RefuseOptions } from './refusal.ts';
import type { ResponseFormat } from './response-format.ts';
import type { Route, RouteDocs, RouteRequest } from './route.ts';
import type { AnswerForm } from './served-dialect.ts';

/**
 * A route that a server is given. One with the method and path of a route of the server itself stands in its place: what it leaves out is as
 * it was, and `own` answers as the server does.
 */
export interface GivenRoute
  extends Pick<Route, 'method' | 'path' | 'scope' | 'format' | 'outcomes' | 'selectsFormat' | 'startsWork' | 'needs' | 'read'> {
  /** Needed for a path that the server does not have. */
  readonly run?: (request: RouteRequest, server: RouteServer, own: OwnAnswer) => HttpAnswer | Promise<HttpAnswer>;
  /** Its description in the OpenAPI document. `own` is that of the route in whose place it stands. */
  readonly docs?: (parts: DocParts, own: RouteDocs | undefined) => RouteDocs | undefined;
}

/** Answers as the server does without the given route. */
export type OwnAnswer = () => HttpAnswer | Promise<HttpAnswer>;

/** The server as a given route has it while it answers one request. Nothing here rejects because of a tool or a caller. */
export interface RouteServer {
  readonly toolbox: ServedToolbox;
  /** The resources whose sessions callers can keep; undefined where the toolbox has none. */
  readonly resources: Resources | undefined;
  /** How many calls one batch may have. */
  readonly maxBatch: number;
  /** Refuses the request before any call. */
  readonly refuse: (kind: FailureKind, message: string, options?: RefuseOptions) => HttpAnswer;
  /** Checks whether the caller may call a tool, by its exact name. */
  readonly mayCall: (tool: string) => boolean;
  /** Returns the exact name of a tool asked for in any spelling, or the refusal where the caller may not call it. Undefined: no such tool. */
  readonly permit: (name: string) => string | undefined | HttpAnswer;
  /** Makes a call with the rights, headers and limits of the request, or gives the refusal. */
  readonly call: (call: CallFacts) => Promise<MadeCall | HttpAnswer>;
  /** Makes a call and answers it, as a stream of events where the request asks for one. */
  readonly answerCall: (call: CallFacts) => Promise<HttpAnswer>;
  /** Makes the calls of a batch with the rights, headers and limits of the request, or gives the refusal. */
  readonly batch: (batch: BatchFacts, format?: ResponseFormat) => Promise<MadeBatch | HttpAnswer>;
  /** Does something that is not a call of a tool, with the context that the request states; `body` may bring a trace id. Or gives the refusal. */
  readonly work: <TResult>(run: (context: CallContext) => Promise<TResult>, body?: unknown) => Promise<DoneWork<TResult> | HttpAnswer>;
  /** Creates, lists, refreshes or ends sessions of resources. Without resources there are none. */
  readonly keepSessions: (operation: SessionOperation, args: Readonly<Record<string, unknown>>, context: CallContext) => Promise<Outcome>;
  /** Returns the format that the request selects, else that of the server, else this one. */
  readonly formatOr: (form: AnswerForm) => ResponseFormat;
  /** Writes an outcome in a format. @default the format of the request */
  readonly encode: (outcome: Outcome, format?: ResponseFormat) => object;
  /** Answers with an outcome. */
  readonly answer: (outcome: Outcome, how?: AnswerHow) => HttpAnswer;
  /** Answers with plain JSON. */
  readonly json: (value: unknown, status?: number) => HttpAnswer;
  /** Takes no more calls, lets those in flight finish, and closes the server. */
  readonly shutDown: (how: { readonly drainMs?: number }) => void;
}

/** How an outcome is answered. */
export interface AnswerHow {
  /** @default the format of the request */
  readonly format?: ResponseFormat;
  /** @default the HTTP status of the outcome */
  readonly status?: number;
  /** Headers that are sent back. */
  readonly echo?: Readonly<Record<string, string>>;
}

/** A call that has ended. */
export type MadeCall = {
  readonly outcome: Outcome;
  readonly echo: Readonly<Record<string, string>>;
};

/** The calls of a batch, as the body states them. */
export interface BatchFacts {
  readonly calls: readonly BatchCall[];
  readonly concurrency: number;
  readonly stopOnError: boolean;
  /** The context that the batch states for all of its calls; headers win. */
  readonly context?: CallContext;
  /** The body, which may bring a trace id. */
  readonly body?: unknown;
}

/** A batch whose calls have ended or were skipped. */
export type MadeBatch = {
  readonly answers: readonly BatchAnswer[];
  /** How the batch went: `results`, each with its id, and how many were executed, skipped and successful. */
  readonly outcome: Outcome<JsonObject>;
  readonly echo: Readonly<Record<string, string>>;
};

/** The result of work that is not a call. */
export type DoneWork<TResult> = {
  readonly result: TResult;
  readonly traceId: string;
  readonly echo: Readonly<Record<string, string>>;
};
