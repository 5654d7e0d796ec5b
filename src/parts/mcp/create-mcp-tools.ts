import type { CallContext } from '../../core/contract/index.ts';
import { type McpResult, mcp } from '../../core/dialects/index.ts';
import type { JsonValue, Outcome } from '../../core/outcome/index.ts';
import type { AnyTool, Toolbox } from '../../core/runtime/index.ts';
import { contextFromMeta } from './context-from-meta.ts';
import { asRecord, type McpEra, type McpRequest } from './mcp-request.ts';
import { type McpTool, toMcpTool } from './mcp-tool.ts';
import { reportProgress } from './report-progress.ts';
import { toCutForm } from './to-output-schema.ts';

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
  /** Runs each call inside the trace that its `_meta` brings: `continueTrace` of `toolpact/telemetry`. */
  readonly within?: (meta: Readonly<Record<string, unknown>>, run: () => Promise<Outcome>) => unknown;
  /** Answers with something else than the result of a call, such as a question to the client; undefined for the result. Must not throw. */
  readonly instead?: (outcome: Outcome, request: McpRequest) => object | undefined | Promise<object | undefined>;
}

/** Answers the two requests of the protocol that are about tools. */
export interface McpTools {
  readonly list: (request?: Pick<McpRequest, 'era'>) => { tools: McpTool[] };
  /** Never rejects: an unknown tool and unreadable arguments are results that a model can read, too. */
  readonly call: (params: unknown, request: McpRequest) => Promise<McpResult | object>;
}

/** Makes a toolbox answer `tools/list` and `tools/call`, in either era of the protocol. */
export function createMcpTools(toolbox: McpToolbox, options: McpToolsOptions = {}): McpTools {
  const { heartbeatMs = 10_000, strict = false, within, instead } = options;
  const told = knownTools.get(toolbox.tools) ?? writeTools(toolbox);
  return {
    list: ({ era } = { era: 'handshake' }) => {
      const tools = [...told[era].values()];
      const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      toolbox.emit({ type: 'tools-offered', adapter: 'mcp', tools: offered });
      return { tools };
    },
    call: async (params, request) => {
      const { name, arguments: args } = asRecord(params);
      const reporter = reportProgress(request, heartbeatMs);
      const context: CallContext = {
        ...contextFromMeta(request.meta),
        ...(request.signal !== undefined && { signal: request.signal }),
        ...(reporter !== undefined && { onProgress: reporter.onProgress }),
      };
      let running: Promise<Outcome> | undefined;
      const run = (): Promise<Outcome> => {
        running ??= toolbox.answer({ name: name as string, args }, context, request.host);
        return running;
      };
      // What belongs to the trace must not cost the call.
      if (within !== undefined) new Promise((resolve) => resolve(within(request.meta, run))).catch(() => undefined);
      const outcome = await run();
      reporter?.stop();
      const other = instead === undefined ? undefined : await instead(outcome, request);
      if (other !== undefined) return other;
      const { outputSchema } = told[request.era].get(outcome.meta.tool ?? '') ?? {};
      return mcp.encode(outputSchema === undefined ? outcome : withCut(outcome), {
        strict,
        structured: request.era === 'stateless' ? 'any' : 'object',
      });
    },
  };
}

type Told = Readonly<Record<McpEra, ReadonlyMap<string, McpTool>>>;

// Servers of the stateless era are made anew for every request; what they tell is not.
const knownTools = new WeakMap<readonly AnyTool[], Told>();

function writeTools({ tools, list }: McpToolbox): Told {
  const listed = list();
  const written = (era: McpEra) => new Map(listed.map((tool) => [tool.name, toMcpTool(tool, era)]));
  const told = { handshake: written('handshake'), stateless: written('stateless') };
  knownTools.set(tools, told);
  return told;
}

/** Marks the data of a cut result as such, for it may break the output schema that the client checks it against. */
function withCut(outcome: Outcome): Outcome {
  if (outcome.meta.truncated !== true || !('data' in outcome) || outcome.status === 'error') return outcome;
  return { ...outcome, data: toCutForm(outcome.data as JsonValue) };
}
