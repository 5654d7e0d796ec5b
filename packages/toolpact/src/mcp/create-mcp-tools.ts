import type { CallContext } from '../contract/index.ts';
import type { McpResult } from '../dialects/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { AnyTool } from '../runtime/index.ts';
import type { Toolbox } from '../toolbox/index.ts';
import { listMcpTools, offeredMcpTools } from './list-mcp-tools.ts';
import { encodeMcpResult, readMcpCall } from './mcp-call.ts';
import type { McpRequest } from './mcp-request.ts';
import type { McpTool } from './mcp-tool.ts';

/** The part of a toolbox that is served. */
export type McpToolbox = Pick<Toolbox<readonly AnyTool[]>, 'tools' | 'list' | 'emit'> & {
  /** Answers a call; never rejects. `host` is what the SDK hands to its handlers. */
  readonly answer: (call: { readonly name: string; readonly args: unknown }, context: CallContext, host: unknown) => Promise<Outcome>;
};

/** How tools are served. */
export interface McpToolsOptions {
  /** After how much silence a client that asked for progress gets a sign of life; 0 for never. @default 10_000 */
  readonly heartbeatMs?: number;
  /** Leaves out the `_meta` block from which a Toolpact client reads the whole outcome back. @default false */
  readonly strict?: boolean;
  /** Runs each call inside the trace that its `_meta` brings: the `openTelemetry()` that the toolbox has, too. It cannot break a call. */
  readonly telemetry?: { readonly within: (meta: Readonly<Record<string, unknown>>, run: () => Promise<Outcome>) => unknown };
  /** Writes the outcome of a call as its result. @default the protocol's own way */
  readonly encode?: (outcome: Outcome) => object;
}

/** Answers the two requests of the protocol that are about tools. */
export interface McpTools {
  readonly list: (request?: Pick<McpRequest, 'era'>) => { tools: McpTool[] };
  /** Never rejects: an unknown tool and unreadable arguments are results that a model can read, too. */
  readonly call: (params: unknown, request: McpRequest) => Promise<McpResult | object>;
}

/** Creates a toolbox answer `tools/list` and `tools/call`, in either era of the protocol. */
export function createMcpTools(toolbox: McpToolbox, { heartbeatMs, strict, telemetry, encode }: McpToolsOptions = {}): McpTools {
  const listed = listMcpTools(toolbox);
  return {
    list: ({ era } = { era: 'handshake' }) => {
      const tools = offeredMcpTools(listed, era);
      announceTools(toolbox, tools);
      return { tools };
    },
    call: async (params, request) => {
      const { name, args, context, stop } = readMcpCall(params, request, heartbeatMs);
      let running: Promise<Outcome> | undefined;
      const run = (): Promise<Outcome> => {
        running ??= toolbox.answer({ name, args }, context, request.host);
        return running;
      };
      // A failing tracer must not cost the call.
      if (telemetry !== undefined) new Promise((resolve) => resolve(telemetry.within(request.meta, run))).catch(() => undefined);
      const outcome = await run();
      stop();
      return encode?.(outcome) ?? encodeMcpResult(outcome, listed, request.era, strict);
    },
  };
}

/** Reports to the subscribers of a toolbox which tools a client was offered. */
export function announceTools({ emit }: Pick<McpToolbox, 'emit'>, tools: readonly McpTool[]): void {
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  emit({ type: 'tools-offered', adapter: 'mcp', tools: offered });
}
