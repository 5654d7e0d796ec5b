import type { Effect, FailureKind, JsonObject, JsonValue, Outcome, Recovery } from '../../../core/outcome/index.ts';

/** A call as `GET v1/calls` lists it. */
export interface ListedCall {
  readonly id: string;
  readonly tool: string;
  readonly status: CallStatus;
  readonly kind?: FailureKind;
  readonly code?: string;
  readonly recovery?: Recovery;
  readonly retryable?: boolean;
  readonly effect?: Effect;
  /** Its arguments in a line; cut. */
  readonly preview?: string;
  readonly message?: string;
  readonly handle?: string;
  readonly begunAt: string;
  readonly endedAt?: string;
  readonly tookMs?: number;
  readonly attempts: number;
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly conversationId?: string;
  readonly userId?: string;
  readonly agentName?: string;
  readonly adapter?: string;
  readonly callId?: string;
  readonly traceId: string;
  readonly key?: string;
  readonly replayOf?: string;
  readonly repeats?: string;
  readonly rerunOf?: string;
  readonly rerunFrom?: string;
  readonly cacheHit?: boolean;
  readonly lost?: boolean;
  /** The last that it reported, while it runs. */
  readonly progress?: Omit<Progress, 'id' | 'tool'>;
}

/** How a call stands. */
export type CallStatus = 'running' | Outcome['status'];

/** A page of calls; `next` is there when more may follow. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next?: string;
}

/** What a tool said while it ran. */
export interface Progress {
  readonly id: string;
  readonly tool: string;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** What happened within a call; times are milliseconds since it began. */
export interface CallTrace {
  readonly guards?: readonly GuardDecision[];
  readonly attempts?: readonly Attempt[];
  readonly steps?: readonly TracedStep[];
  readonly progress?: readonly (Omit<Progress, 'id' | 'tool'> & { readonly atMs: number })[];
  /** How long the call has run so far; absent once it has ended. */
  readonly soFarMs?: number;
}

/** What one guard did with a call. */
export interface GuardDecision {
  readonly guard: string;
  readonly phase: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly did?: 'passed' | 'answered' | 'replaced' | 'failed';
}

/** One run of the handler. */
export interface Attempt {
  readonly attempt: number;
  readonly tookMs: number;
  readonly endedAtMs: number;
  readonly status: Outcome['status'];
  readonly kind?: FailureKind;
  readonly message?: string;
}

/** A step of a tool; how long it took and how it ended is known of those that have ended. */
export interface TracedStep {
  readonly step: string;
  readonly atMs: number;
  readonly tookMs?: number;
  readonly status?: 'ok' | 'error';
  readonly kind?: FailureKind;
  readonly message?: string;
  /** Whether it did not run, because an earlier run had recorded its end. */
  readonly replayed?: boolean;
}

/** A call with all that the journal knows of it. */
export interface RecordedCall extends ListedCall {
  readonly input: JsonValue;
  readonly isWhole: boolean;
  readonly outcome?: Outcome;
  readonly modelText?: string;
  readonly trace?: CallTrace;
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

/** A call that waits for a person. */
export interface Approval {
  readonly handle: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly redactions?: number;
  readonly cuts?: number;
  readonly question: string;
  readonly state: 'waiting' | 'approved' | 'denied' | 'used' | 'expired';
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly by?: string;
  readonly reason?: string;
  readonly invocationId: string;
  readonly userId?: string;
  readonly runId?: string;
}

/** What this server can do for the page: `GET v1/inspector`. */
export interface ServerFacts {
  readonly version: string;
  readonly name: string;
  /** Whether faults and checks are allowed. */
  readonly dev: boolean;
  readonly journal: boolean;
  /** Whether this caller may read causes. */
  readonly causes: boolean;
  readonly rerun?: boolean;
  /** Whether `docs` is served beside the page. */
  readonly docs?: boolean;
  readonly traceUrl?: string;
  readonly faults: readonly { readonly name: string; readonly description: string }[];
  readonly mcp?: { readonly url: string; readonly configs: readonly ClientConfig[] };
  readonly dialects: readonly string[];
}

/** How this server is entered in one MCP client. */
export interface ClientConfig {
  readonly client: string;
  readonly file: string;
  readonly text: string;
}

/** What models and readers get of an outcome: `GET v1/calls/{id}/readings`. */
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

/** What else is known of a tool: `GET v1/inspector/tools/{name}`. */
export interface ToolDetails {
  /** Its own codes and the kinds they mean. */
  readonly failures?: Readonly<Record<string, string>>;
  readonly promises?: readonly string[];
  readonly guards?: readonly { readonly name: string; readonly phase: string }[];
  readonly lock?: { readonly state: 'same' | 'changed' | 'missing' | 'unknown'; readonly changes?: readonly LockChange[] };
}

/** How the contract of a tool differs from its lock file. */
export interface LockChange {
  readonly place: string;
  readonly level: 'breaking' | 'compatible';
  readonly message: string;
}

/** What a check of tools found: `POST v1/inspector/check`. */
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
