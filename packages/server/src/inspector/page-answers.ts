// Answers of the server that the inspector page and the tools of operators read. Types alone, and no import of what runs on a server: the page is compiled for browsers.

import type { ListedCall, ListedTool, ReportedError } from 'toolpact';
import type { CallSummary } from '../routes/call-summary.ts';

/** Progress that a running tool reported. */
export interface ProgressNews {
  readonly id: string;
  readonly tool: string;
  readonly message?: string | undefined;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

/** Features of this server that the page can use: `GET v1/inspector`. */
export interface ServerFacts {
  readonly name: string;
  readonly version?: string;
  /** Whether faults and checks are allowed. */
  readonly dev: boolean;
  /** Whether callers have to say who they are. */
  readonly auth: boolean;
  readonly tenantId: string;
  /** Whether calls are remembered. */
  readonly store: boolean;
  /** Whether there are servers of others behind this one. */
  readonly gateway?: true;
  /** Whether this caller may read causes. */
  readonly causes: boolean;
  /** Whether it may read the messages that made calls. */
  readonly wire: boolean;
  /** Whether `openapi.json` is served beside the page. */
  readonly docs: boolean;
  readonly traceUrl?: string;
  readonly faults: readonly { readonly name: string; readonly description: string }[];
  readonly mcp?: { readonly url: string; readonly configs: readonly McpConfig[] };
}

/** Settings with which an MCP client reaches this server. */
export interface McpConfig {
  readonly client: string;
  /** Where the text belongs. */
  readonly file: string;
  readonly text: string;
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
  readonly rule: object & { readonly hide?: boolean };
  readonly drift?: {
    readonly mode: 'block' | 'ask' | 'warn';
    /** Names the change, for whoever accepts it. */
    readonly fingerprint: string;
    readonly changes: readonly ContractChange[];
  };
  readonly leftOut?: string;
}

/** How the contract of a tool has changed. */
export type ContractChange = {
  readonly place: string;
  readonly level: 'breaking' | 'compatible';
  readonly message: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Details of a tool: `GET v1/inspector/tools/{name}`. */
export interface ToolDetails extends ListedTool {
  /** Its own codes and the kinds they mean. */
  readonly failures: Readonly<Record<string, string>>;
  readonly promises: readonly string[];
  /** Whether no call runs before a person approves it. */
  readonly alwaysAsks: boolean;
  readonly guards: readonly { readonly name: string; readonly phase: string }[];
  readonly lock: ToolLockState;
}

/** How a tool stands to its lock file. */
export type ToolLockState = {
  readonly state: 'same' | 'changed' | 'missing' | 'unknown';
  readonly changes: readonly ContractChange[];
};

/** Findings of a check of tools: `POST v1/inspector/check`. */
export type CheckResult = {
  readonly tools: readonly { readonly tool: string; readonly verdicts?: Readonly<Record<string, { readonly verdict: string }>> }[];
  readonly findings: readonly {
    readonly check: string;
    readonly level: 'must' | 'should';
    readonly tool?: string;
    readonly message: string;
    readonly fix?: string;
  }[];
};

/** The texts of an outcome for models and other readers: `GET v1/calls/{id}/readings`. */
export interface Readings {
  readonly readings: readonly Reading[];
  readonly dialects: readonly { readonly name: string; readonly text: string }[];
  /** Whether the data was cut for this view; one form alone comes whole. */
  readonly isCut?: boolean;
}

/** An outcome as one of its readers gets it. */
export interface Reading {
  readonly form: string;
  readonly label: string;
  readonly language: 'text' | 'json';
  readonly text: string;
}

/** The operator's view of a failure: `GET v1/calls/{id}/cause`. */
export interface Cause extends Omit<ReportedError, 'cause'> {
  readonly source?: SourceLines;
  readonly causes: readonly Omit<ReportedError, 'cause'>[];
}

/** Lines of a source file. */
export interface SourceLines {
  readonly file: string;
  /** The line and column that the stack names, from 1. */
  readonly line: number;
  readonly column: number;
  /** The number of the first of `lines`. */
  readonly from: number;
  readonly lines: readonly string[];
}

/** A request as it came over the wire, and its answer as it went: `GET v1/calls/{id}/wire`. Secrets are hidden, long bodies cut. */
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
  readonly run: readonly ListedCall[];
  readonly key: readonly ListedCall[];
  readonly replays: readonly ListedCall[];
}

/** A difference between two calls: `GET v1/calls/{id}/difference`. */
export interface CallDifference {
  readonly field: string;
  readonly a: string;
  readonly b: string;
}

/** A call in forms that people keep, a command, code, a test, a report: `GET v1/calls/{id}/kept`. */
export interface KeptTexts {
  readonly curl: string;
  readonly client: string;
  readonly test: string;
  readonly report: string;
}

/** How the server stands: `GET v1/inspector/health`. */
export interface Health extends Omit<CallSummary, 'minutes'> {
  readonly breakers: readonly Breaker[];
  readonly limits: readonly Limit[];
  readonly perMinute: CallSummary['minutes'];
  readonly running: number;
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
