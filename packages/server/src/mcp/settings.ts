import type { McpServer, ServerOptions as SdkServerOptions, ServerContext } from '@modelcontextprotocol/server';
import type { PendingOutcome } from 'toolpact';

/** How `/mcp` is served. */
export interface McpSettings {
  /** The server's name, as clients show it. @default 'toolpact' */
  readonly name?: string;
  /** The server's version, as clients show it. @default '0.0.0' */
  readonly version?: string;
  /** Options of the official SDK's own server, for example `instructions` or `cacheHints`. */
  readonly server?: Omit<SdkServerOptions, 'supportedProtocolVersions'>;
  /**
   * Adds prompts, resources, completion and tools beyond the toolbox to each server of the official SDK before it is used. Runs at the start,
   * so that mistakes show, then once per session with older clients and once per request with newer ones: what it adds is best made beforehand.
   */
  readonly configure?: (server: McpServer, serving: McpServing) => unknown;
  /** After how much silence a client that asked for progress gets a sign of life; 0 for never. @default 10_000 */
  readonly heartbeatMs?: number;
  /** Leaves out the `_meta` block from which a Toolpact client reads the whole outcome back. @default false */
  readonly strict?: boolean;
  /**
   * Whose client is asked, by elicitation, when a call needs an approval: that of a caller who may decide about approvals, that of any caller,
   * or none. A client can answer without asking a human. @default 'deciders'
   */
  readonly approvals?: 'deciders' | 'callers' | 'never';
  /** Tools that only clients which take tasks may call; all others get an error of the protocol. @default none: every client can wait with `wait_for_result` */
  readonly requireTasks?: readonly string[];
  /** Sessions with clients of 2025-11-25 and before; false for none, then such clients cannot be asked anything. */
  readonly sessions?: McpSessionLimits | false;
  /** Signs what clients of 2026-07-28 bring back with an answer, at least 32 bytes. Needed where several processes serve one address. @default drawn at random */
  readonly stateKey?: string | Uint8Array;
  /**
   * Sends what tools write with `ctx.log` to the client that called too, as logging messages of the level `info`: those of a session hear it
   * unless they set a higher level, those of 2026-07-28 if their request names a level. @default false, because it is written for operators; over stdio true, where the client started the process
   */
  readonly logs?: boolean;
  /** Whether plain calls are answered without the SDK, with the same result. @default true */
  readonly fastPath?: boolean;
}

/** How many sessions there may be, and how long one may be idle. */
export interface McpSessionLimits {
  /** At this number the session idle for longest, one of the same caller first, makes room; if none is idle, a new client is served without a session. @default 1_000 */
  readonly max?: number;
  /** @default 1_800_000 */
  readonly idleMs?: number;
}

/** Describes the client that one server of the SDK serves, and gives `configure` the means to reach it. */
export interface McpServing {
  /** The era of the protocol: with a handshake (up to 2025-11-25), or with everything in each request (2026-07-28). */
  readonly era: 'legacy' | 'modern';
  readonly tenantId?: string | undefined;
  /** Notifies all clients that listen of a change, whichever server of the SDK serves them. */
  readonly notify: McpNotifier;
  /** Returns a pending outcome of the toolbox as a task, for a tool of `configure` to return; undefined when the client takes no tasks. */
  readonly toTask: (outcome: PendingOutcome, context: ServerContext) => Promise<object | undefined>;
}

/** Notifies clients of a change. */
export type McpNotifier = {
  readonly toolsChanged: () => void;
  readonly promptsChanged: () => void;
  readonly resourcesChanged: () => void;
  /** Clients of 2025-11-25 and before hear it if they subscribed to this resource. */
  readonly resourceUpdated: (uri: string) => void;
};
