import type { JsonObject, Resources } from 'toolpact';
import type { Identity } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { Wire } from '../inspector/wire.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { Operator } from '../operator/operator-route.ts';
import type { SessionToolbox } from '../routes/session-tools.ts';
import type { Denied, ServedToolbox } from '../server-options.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { InFlight } from './in-flight.ts';
import type { DemandTenant, RequestContext } from './read-context.ts';
import type { Refuse } from './refusal.ts';
import type { ReportProblem } from './report-problem.ts';
import type { RequestHead } from './request-head.ts';
import type { Formats } from './response-format.ts';
import type { ServerRequest } from './server-request.ts';

/** The state that all routes of one server share. */
export interface ServerState {
  readonly toolbox: ServedToolbox;
  readonly settings: ServerSettings;
  readonly formats: Formats;
  readonly inFlight: InFlight;
  readonly audit: (record: Denied) => void;
  /** Refuses a request before any call. */
  readonly refuse: Refuse;
  /** Reports an error to the operator. */
  readonly report: ReportProblem;
  /** Returns the exact name of a tool asked for in any spelling, if this caller may call it; else the refusal. Undefined: no such tool. */
  readonly permit: (request: ServerRequest, identity: Identity, name: string) => string | undefined | HttpAnswer;
  /** Refuses a request without a tenant; undefined where none must name one. */
  readonly demandTenant: DemandTenant | undefined;
  /** Reads the context that a request states for a call; the tenant is that of the credential, and never among it. */
  readonly contextOf: (request: ServerRequest, body?: unknown) => RequestContext | HttpAnswer;
  /** Gives the toolbox bound to the tenant of a caller. */
  readonly toolboxOf: (identity: Identity) => ServedToolbox;
  /** Runs calls so that a promise that a tool forgot does not end the process: it is printed, and a `problem` for the listeners. */
  readonly contain: <TValue>(tool: string, run: () => TValue) => TValue;
  /** The resources whose sessions callers can keep; undefined where the toolbox has none. */
  readonly resources: Resources | undefined;
  /** Returns the operations on sessions. Without resources there are no sessions. */
  readonly sessionTools: () => SessionToolbox;
  readonly mcp: McpEndpoint | undefined;
  /** The messages of the last requests that made calls; undefined where none are kept. */
  readonly wire: Wire | undefined;
  /** The endpoint for coding agents; undefined where it is switched off. */
  readonly operator: Operator | undefined;
  /** Answers a request as the listeners have it answered. Never rejects. */
  readonly answer: (head: RequestHead) => Promise<HttpAnswer>;
  /** Takes no more calls, lets those in flight finish, and closes the server. */
  readonly shutDown: (options: { readonly drainMs?: number }) => void;
  /** Writes the OpenAPI document of the tools that a caller may call. */
  readonly describe: (options: { readonly credentialHeaders: readonly string[]; readonly only: (name: string) => boolean }) => JsonObject;
}
