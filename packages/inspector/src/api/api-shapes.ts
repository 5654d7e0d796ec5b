import type { JsonObject, JsonValue, ListedCall } from 'toolpact';

export type { Approval, Grant, GrantRequest, GrantRule, ListedCall, RecordedCall } from 'toolpact';
export type { CallTrace, StepTrace } from 'toolpact/internal';

/** How a call stands. */
export type CallStatus = ListedCall['status'];

/** A page of calls; `next` is there when more may follow. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next?: string;
}

/** Progress that a running tool reported. */
export interface Progress {
  readonly id: string;
  readonly tool: string;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** A tool as `GET v1/tools` lists it. */
export interface ListedTool {
  readonly name: string;
  readonly providerName: string;
  readonly description: string;
  readonly effects: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly examples: readonly { readonly input: JsonValue; readonly output?: JsonValue }[];
}

/** A server behind a gateway: `GET v1/inspector/gateway`. */
export interface GatewayServer {
  readonly name: string;
  readonly status: 'starting' | 'running' | 'down' | 'closed';
  readonly info?: { readonly name: string; readonly version: string };
  readonly starts: number;
  readonly problem?: string;
  readonly lastLines: readonly string[];
  readonly tools: readonly GatewayTool[];
}

/** A tool of a server behind a gateway. */
export interface GatewayTool {
  readonly name: string;
  readonly listedAs: string;
  readonly rule: { readonly [option: string]: unknown; readonly hide?: boolean };
  readonly drift?: {
    readonly mode: 'block' | 'ask' | 'warn';
    readonly changes: readonly {
      readonly place: string;
      readonly level: 'breaking' | 'compatible';
      readonly message: string;
      readonly before?: unknown;
      readonly after?: unknown;
    }[];
  };
  readonly leftOut?: string;
}

/** Features of this server that the page can use: `GET v1/inspector`. */
export interface ServerFacts {
  readonly version: string;
  readonly name: string;
  /** Whether faults and checks are allowed. */
  readonly dev: boolean;
  /** Whether callers have to say who they are. */
  readonly auth?: boolean;
  /** Whether calls are remembered. */
  readonly store: boolean;
  /** Whether there are servers of others behind this one. */
  readonly gateway?: boolean;
  /** Whether this caller may read causes. */
  readonly causes: boolean;
  /** Whether it may read the messages that made calls. */
  readonly wire?: boolean;
  /** Whether `openapi.json` is served beside the page. */
  readonly docs?: boolean;
  readonly traceUrl?: string;
  readonly faults: readonly { readonly name: string; readonly description: string }[];
  readonly mcp?: { readonly url: string; readonly configs: readonly ClientConfig[] };
}

/** How this server is entered in one MCP client. */
export interface ClientConfig {
  readonly client: string;
  readonly file: string;
  readonly text: string;
}

/** The texts of an outcome for models and other readers: `GET v1/calls/{id}/readings`. */
export interface Readings {
  readonly readings: readonly { readonly form: string; readonly label: string; readonly text: string }[];
  readonly dialects: readonly { readonly name: string; readonly text: string }[];
}

/** The operator's view of a failure: `GET v1/calls/{id}/cause`. */
export interface Cause {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Lines around the one that failed; `from` is the number of the first. */
  readonly source?: { readonly file: string; readonly line: number; readonly from: number; readonly lines: readonly string[] };
  readonly causes?: readonly Cause[];
}

/** A request and its answer: `GET v1/calls/{id}/wire`. */
export interface WireMessage {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** Calls that belong to another: `GET v1/calls/{id}/related`. */
export interface Related {
  readonly run?: readonly ListedCall[];
  readonly key?: readonly ListedCall[];
  readonly replays?: readonly ListedCall[];
}

/** A call in forms that are worth keeping: `GET v1/calls/{id}/kept`. */
export interface Kept {
  readonly curl: string;
  readonly client: string;
  readonly test: string;
  readonly report: string;
}

/** Details of a tool: `GET v1/inspector/tools/{name}`. */
export interface ToolDetails {
  /** Its own codes and the kinds they mean. */
  readonly failures?: Readonly<Record<string, string>>;
  readonly promises?: readonly string[];
  /** Whether no call runs before a person approves it. */
  readonly alwaysAsks?: boolean;
  readonly guards?: readonly { readonly name: string; readonly phase: string }[];
  readonly lock?: { readonly state: 'same' | 'changed' | 'missing' | 'unknown'; readonly changes?: readonly LockChange[] };
}

/** How the contract of a tool differs from its lock file. */
export interface LockChange {
  readonly place: string;
  readonly level: 'breaking' | 'compatible';
  readonly message: string;
}

/** Findings of a check of tools: `POST v1/inspector/check`. */
export interface CheckResult {
  readonly tools: readonly { readonly tool: string; readonly verdicts?: Readonly<Record<string, { readonly verdict: string }>> }[];
  readonly findings: readonly {
    readonly check: string;
    readonly level: 'must' | 'should';
    readonly message: string;
    readonly fix?: string;
  }[];
}

/** How many calls ended how. */
export type Counts = Readonly<Partial<Record<CallStatus, number>>>;

/** How the server stands: `GET v1/inspector/health`. */
export interface Health {
  readonly breakers?: readonly Breaker[];
  readonly limits?: readonly Limit[];
  readonly perMinute: readonly { readonly minute: string; readonly counts: Counts }[];
  readonly tools: readonly {
    readonly tool: string;
    readonly counts: Counts;
    readonly tookMs?: { readonly p50: number; readonly p95: number; readonly p99: number };
  }[];
  readonly kinds: Readonly<Record<string, number>>;
  /** Failures by what they said about the outside world; servers of before do not say it. */
  readonly effects?: Readonly<Record<string, number>>;
  /** Messages that could not be read, the most frequent first. */
  readonly unread?: readonly { readonly tool: string; readonly message: string; readonly count: number }[];
  readonly total: number;
  /** Whether all calls of the time were counted. */
  readonly complete: boolean;
  readonly running?: number;
}

/** A circuit breaker. */
export interface Breaker {
  readonly tool?: string;
  readonly key: string;
  readonly state: 'closed' | 'open' | 'probing';
  readonly failures: number;
  readonly limit: number;
  readonly openUntil?: string;
}

/** A limit and how much of it is used. */
export interface Limit {
  readonly guard: string;
  readonly key: string;
  readonly tool?: string;
  readonly used: number;
  readonly limit: number;
  readonly waiting?: number;
  readonly windowEndsAt?: string;
}
