import type { Effects, StandardSchemaV1 } from '../../contract/index.ts';
import type { JsonObject } from '../../outcome/index.ts';

/** A tool as its server describes it. Hints are what the server says of itself. */
export interface RemoteListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly destructiveHint?: boolean;
  };
}

/** How the tools of a server are taken over. */
export interface FromMcpOptions {
  /**
   * Checks arguments and results by their JSON Schemas: `fromJsonSchema` of `@toolpact/openapi`. `maxParts` bounds what a schema of others may
   * cost. @default arguments are checked by the server alone
   */
  readonly schema?: (schema: JsonObject, options: { readonly maxParts: number }) => StandardSchemaV1;
  /** Put before every name, `github:create_issue`, so that tools of several servers can live under one roof. */
  readonly prefix?: string;
  /** Time for a whole call. @default what the toolbox says */
  readonly timeoutMs?: number;
  /** The longest silence of the server; its reports of progress break it. @default 60_000 */
  readonly silenceMs?: number;
  /** Says what a tool does to the outside world; where it says nothing, the hints of the server count. */
  readonly effects?: (tool: RemoteListing) => Effects | undefined;
  /**
   * Whether hints such as `readOnlyHint` may make a tool less strict, for the whole server or tool by tool: then a read may be repeated
   * without harm. Otherwise they can make a tool stricter only. @default false
   */
  readonly trustHints?: boolean | ((tool: RemoteListing) => boolean);
  /** Adds to the `_meta` of every call: `propagateTrace` of `toolpact/telemetry`, for example. */
  readonly meta?: (meta: Record<string, unknown>) => Record<string, unknown>;
  /** Treats results such as `{ error: … }` or `{ success: false }` as failures, for servers that do not flag them. @default false */
  readonly returnsErrors?: boolean;
}
