import type { AnyTool, CallContext, EventOf, Outcome, StoreMethods, Toolbox } from 'toolpact';
import type { McpTelemetry, Store } from 'toolpact/extend';
import type { SpillMethods } from 'toolpact/guards';
import type { Authenticate } from './auth/identity.ts';
import type { InspectorOptions } from './inspector/inspector-options.ts';
import type { McpSettings } from './mcp/settings.ts';
import type { OperatorOptions } from './operator/operator-route.ts';
import type { GivenRoute } from './request/given-route.ts';
import type { HttpAnswer } from './request/http-answer.ts';
import type { RequestHead } from './request/request-head.ts';
import type { AnswerForm, ServedDialect } from './request/served-dialect.ts';

/** A toolbox as a server needs it, with whatever its store and its guards added. */
export interface ServedToolbox
  extends Pick<Toolbox<readonly AnyTool[]>, 'tools' | 'resources' | 'resolveName' | 'answer' | 'batch' | 'list' | 'emit' | 'subscribe'>,
    Partial<StoreMethods & SpillMethods> {
  /** A method, so that a toolbox that knows its names and arguments is one, too. */
  call(name: string, args: unknown, context?: CallContext<never>): Promise<Outcome>;
  readonly with: (context: CallContext<never>) => ServedToolbox;
}

/** How many requests a window of time lets through. */
export interface RequestLimit {
  readonly limit: number;
  /** @default 60_000 */
  readonly windowMs?: number;
}

/** A request that was refused because of who sent it, from where, or how often: a `denied` event before it is stamped. */
export type Denied = Omit<EventOf<'denied'>, 'v' | 'id' | 'type'>;

/** How a server behaves. A name that is not listed here is a mistake and refused at once. */
export interface ServerOptions {
  /** Who asks; of several, the first that knows the caller counts. Needed for every host but this machine. @default no credential, loopback only */
  readonly auth?: Authenticate | readonly Authenticate[];
  /** Host names under which the server may be addressed, without ports; `*` for any, which needs `auth`. @default the names of this machine's loopback */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may call, besides pages of the server itself. @default none */
  readonly origins?: readonly string[];
  /** Bodies above this many bytes are refused. @default 1_048_576 */
  readonly maxBodyBytes?: number;
  /** Bodies nested deeper than this are refused. @default 64 */
  readonly maxDepth?: number;
  /** How many calls one batch, or messages one request of MCP, may have. @default 100 */
  readonly maxBatch?: number;
  /** Requests per window, by credential and by tenant. */
  readonly limits?: { readonly perKey?: RequestLimit; readonly perTenant?: RequestLimit; readonly store?: Store };
  /** Whether denials are written to the console, one line per reason and caller a minute. Listeners of the toolbox hear of each as a `denied` event. @default true */
  readonly auditLog?: boolean;
  /** Whether a promise that a tool forgot is reported, instead of ending the process when it is rejected. @default true */
  readonly containStrays?: boolean;
  /** Records what is asked over MCP, and runs each call inside the trace that its request brings: the `openTelemetry()` that the toolbox has, too. */
  readonly telemetry?: ServerTelemetry;
  /** After how much silence an event stream gets a sign of life. @default 15_000 */
  readonly heartbeatMs?: number;
  /** The longest time a caller may state for its call; more counts as this. Times that tools state are not bound by it. @default 600_000 */
  readonly maxTimeoutMs?: number;
  /** How `/mcp` is served; false for not at all. */
  readonly mcp?: McpSettings | false;
  /** Whether `/openapi.json` is served. @default true */
  readonly openapi?: boolean;
  /** Serves the inspector page at `/` and `/inspector`; options say what it may show and do. @default false */
  readonly inspector?: InspectorOptions | boolean;
  /** Serves `/operator/mcp`, where a coding agent looks into calls, causes and readings with the rights of its credential; options say what else it may do. @default false */
  readonly operator?: OperatorOptions | boolean;
  /** The dialects that a request may select by `?dialect=` or the profile of `Accept`, besides `outcome` and `problem`. @default none */
  readonly dialects?: readonly ServedDialect[];
  /** The form of every answer and refusal unless a request selects another one. @default that of the toolbox's preset, or by route: outcomes as they are, refusals as problem details */
  readonly dialect?: AnswerForm;
  /**
   * Whether every call must belong to a tenant, and be read for one: that of the credential, or, on a server without `auth`, that of `X-Tenant-ID`. @default 'optional'
   */
  readonly tenant?: 'required' | 'optional';
  /** Routes besides those of the server, or in the place of some. The dialects in which they answer can be selected, too. @default those of the toolbox's preset */
  readonly routes?: readonly GivenRoute[];
}

/** Runs something inside the trace that headers bring. */
export type RunWithin = (headers: Readonly<Record<string, string>>, run: () => Promise<unknown>) => unknown;

/** Records the requests of a server; `openTelemetry()` is one. It cannot break a request, whatever it does. */
export interface ServerTelemetry extends McpTelemetry {
  readonly within?: RunWithin;
}

/** The third argument that edge platforms give to a fetch handler. */
export interface PlatformContext {
  /** Lets the work of a request go on after its response. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** A tool server: a fetch handler, and what a listener needs besides. */
export interface ToolServer {
  /** Answers a request. On platforms that end all work with the response, `platform` lets deferred calls go on. */
  readonly fetch: (request: Request, env?: unknown, platform?: PlatformContext) => Promise<Response>;
  /** Answers the head of a request, for listeners that make no `Request`. Never rejects. */
  readonly answer: (head: RequestHead) => Promise<HttpAnswer>;
  /** Refuses new calls, lets those in flight finish for `drainMs`, stops the rest (they get their answers), then closes what belongs to the server. */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** Resolves when the server has closed, by `close` or by a request to shut down. */
  readonly closed: Promise<void>;
  /** Whether callers have to say who they are. */
  readonly hasAuth: boolean;
  /** Which hosts the server answers to, as stated; undefined for loopback alone. */
  readonly hosts: readonly string[] | undefined;
}
