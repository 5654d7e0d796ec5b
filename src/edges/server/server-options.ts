import type { CallContext } from '../../core/contract/index.ts';
import type { FailOptions, FailureKind, Outcome } from '../../core/outcome/index.ts';
import type { AnyTool, McpTelemetry, Store, Toolbox } from '../../core/runtime/index.ts';
import type { ApprovalMethods, DeferMethods, JournalMethods, SpillMethods } from '../../parts/guards/index.ts';
import type { Authenticate, Identity } from './auth/identity.ts';
import type { McpSettings } from './mcp/settings.ts';
import type { InFlight } from './request/in-flight.ts';
import type { Answer, Asked } from './request/request-head.ts';
import type { FormName } from './request/response-format.ts';

/** A toolbox as a server needs it, with whatever its guards added. */
export interface ServedToolbox
  extends Pick<Toolbox<readonly AnyTool[]>, 'tools' | 'resources' | 'answer' | 'batch' | 'list' | 'emit' | 'subscribe'>,
    Partial<JournalMethods & ApprovalMethods & DeferMethods & SpillMethods> {
  readonly call: (name: never, args: never) => Promise<unknown>;
  readonly with: (context: CallContext<never>) => ServedToolbox;
  /** Tells whether some guard keeps a promise; a toolbox without guards keeps none. */
  readonly '~provides'?: (promise: 'idempotency') => boolean;
}

/** How many requests a window of time lets through. */
export interface RequestLimit {
  readonly limit: number;
  /** @default 60_000 */
  readonly windowMs?: number;
}

/** A request that was refused because of who sent it, from where, or how often. */
export interface Denied {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: 'host' | 'origin' | 'unauthenticated' | 'forbidden' | 'tenant' | 'rate_limited' | 'denied';
  readonly message: string;
  readonly method: string;
  readonly path: string;
  readonly traceId: string;
  readonly tool?: string;
  readonly tenantId?: string;
  readonly subject?: string;
  readonly keyId?: string;
}

/** How a server behaves. A name that is not listed here is a mistake and refused at once. */
export interface ServerOptions {
  /** Who asks; of several, the first that knows the caller counts. Needed for every host but this machine. @default nobody is asked, loopback only */
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
  /** Hears of every request that was denied. @default one console line per reason and caller a minute */
  readonly onDenied?: (record: Denied) => unknown;
  /** Records what is asked over MCP, and runs each call inside the trace that its request brings: the `openTelemetry()` that the toolbox has, too. */
  readonly telemetry?: ServerTelemetry;
  /** Runs each call inside the trace that its headers bring: `continueTrace` of `toolpact/telemetry`. @default that of `telemetry` */
  readonly within?: RunWithin;
  /** After how much silence an event stream gets a sign of life. @default 15_000 */
  readonly heartbeatMs?: number;
  /** The longest time a request may wait for a pending call. @default 30_000 */
  readonly maxWaitMs?: number;
  /** How `/mcp` is served; false for not at all. */
  readonly mcp?: McpSettings | false;
  /** Whether `/openapi.json` and `/docs` are served. @default true */
  readonly openapi?: boolean;
}

/** Runs something inside the trace that headers bring. */
export type RunWithin = (headers: Readonly<Record<string, string>>, run: () => Promise<unknown>) => unknown;

/** What a server tells about what it is asked; `openTelemetry()` is one. It cannot break a request, whatever it does. */
export interface ServerTelemetry extends McpTelemetry {
  readonly within?: RunWithin;
}

/** A route that the Node listener may take before anything else, without making a `Request`. */
export interface DirectRoute {
  /** Looks at the head of a request alone. */
  readonly matches: (asked: Asked) => boolean;
  /** Answers, or gives undefined: then the whole request goes the usual way. The body is read within the server's limits already. */
  readonly answer: (asked: Asked, body: Uint8Array) => Answer | undefined | Promise<Answer | undefined>;
}

/** What all routes share. Whatever gives a `Response` instead of a value has refused the request; return that response. */
export interface ServerParts {
  readonly toolbox: ServedToolbox;
  readonly options: ServerOptions;
  /** Tells who asks. Checks the credential and the limits; nothing is done for anybody before this. */
  readonly identify: (request: Request) => Promise<Identity | Response>;
  /** Gives the toolbox bound to the tenant of an identity. */
  readonly toolboxOf: (identity: Identity) => ServedToolbox;
  /** Gives the exact name of a tool asked for in any spelling, if this identity may call it; else the refusal. Undefined: no such tool. */
  readonly permit: (request: Request, identity: Identity, asked: string) => string | undefined | Response;
  /** Reads the headers into the context of a call; the tenant is the identity's. The signal of the request is not in it, see {@link InFlight}. */
  readonly contextOf: (request: Request, identity: Identity, body?: unknown) => CallContext | Response;
  /** Reads a JSON body within the limits of size and depth; undefined for an empty one. */
  readonly readJson: (request: Request) => Promise<{ readonly value: unknown } | Response>;
  /** Encodes an outcome in the form the request selects, with its status and headers. */
  readonly respond: (request: Request, outcome: Outcome, usual?: FormName) => Response;
  /** Answers something that is no outcome, as plain JSON. */
  readonly json: (request: Request, value: unknown, status?: number) => Response;
  /** Refuses a request before any call, in the form it selects, problem details if it selects none. */
  readonly refuse: (request: Request, kind: FailureKind, message: string, options?: RefuseOptions) => Response;
  /** Knows the calls that run, so that closing can wait for them. */
  readonly inFlight: InFlight;
  /** What the Node listener answers by itself; route files push onto this. */
  readonly direct: DirectRoute[];
  /** What `/readyz` asks: each gives a reason for not being ready, or nothing. Route files push onto this. */
  readonly readiness: (() => string | undefined | Promise<string | undefined>)[];
  /** What is closed with the server, last added first, after the calls have ended. Route files push onto this. */
  readonly closers: (() => unknown)[];
}

/** What else a refusal says. */
export interface RefuseOptions extends Pick<FailOptions, 'code' | 'details' | 'retryAfterMs' | 'issues'> {
  /** An HTTP status that says more than that of the kind, such as 405. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the refusal a denial that is told to `onDenied`. */
  readonly denied?: Denied['reason'];
  readonly identity?: Identity;
  /** The tool as the request spells it. */
  readonly tool?: string;
  /** The tool by its own name, for `onDenied` alone. */
  readonly meant?: string;
}

/** A tool server: a fetch handler, and what a listener needs besides. */
export interface ToolServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Refuses new calls, lets those in flight finish for `drainMs`, stops the rest (they get their answers), then closes what belongs to the server. */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** Whether callers have to say who they are. */
  readonly hasAuth: boolean;
  /** Which hosts the server answers to, as stated; undefined for loopback alone. */
  readonly hosts: readonly string[] | undefined;
  /** What a Node listener may answer directly. */
  readonly '~direct': DirectPath;
}

/** The direct way through a server, for listeners that make no `Request`. */
export interface DirectPath {
  readonly maxBodyBytes: number;
  readonly inFlight: InFlight;
  /** Finds the direct route of a request, if the request may take one. */
  readonly find: (asked: Asked) => DirectRoute | undefined;
}
