import type { CallContext } from '../../contract/index.ts';
import { mcp } from '../../dialects/index.ts';
import {
  answerMcpRequests,
  createMcpTools,
  type McpServerPort,
  type McpTool,
  type McpToolbox,
  type McpTools,
  type McpToolsOptions,
} from '../../mcp/index.ts';
import { type OptionNames, ToolpactError } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { checkToolbox } from '../../toolbox/index.ts';
import { type AdapterOptions, adapterOptions, answerHost, type CallableToolbox, readAdapterOptions } from '../frameworks/host-tools.ts';
import { textFor } from '../frameworks/tell-model.ts';

export type { McpTool } from '../../mcp/index.ts';
export type { AdapterOptions } from '../frameworks/host-tools.ts';
export type { McpClient } from './client.ts';
export { fromMcp } from './from-mcp.ts';
export type { FromMcpOptions, RemoteListing } from './remote-listing.ts';

/** How a toolbox is served. `context` may read what the SDK hands to its handlers, for example who is logged in. */
export interface McpServerOptions extends AdapterOptions, McpToolsOptions {}

const serverOptions: OptionNames<McpServerOptions> = { ...adapterOptions, heartbeatMs: true, strict: true, telemetry: true, encode: true };

/** A toolbox, or a view of one made with `with`. */
type ServedToolbox = CallableToolbox & { readonly tools: McpToolbox['tools'] };

/** Returns the tools of a toolbox as `tools/list` lists them. */
export function toTools(toolbox: ServedToolbox): McpTool[] {
  checkToolbox('toTools', toolbox);
  return served(toolbox, {}).list().tools;
}

/**
 * Connects a low-level `Server` of the official SDK, version 1 or 2, to the tools of a toolbox, and returns it. It must not be
 * connected yet. Every way a call can end is a result that the model reads; only what is no request for tools is a protocol error.
 *
 * @example
 * const server = toMcpServer(toolbox, { server: new Server({ name: 'weather', version: '1.0.0' }) });
 * await server.connect(new StdioServerTransport());
 */
export function toMcpServer<TServer extends McpServerPort>(
  toolbox: ServedToolbox,
  options: McpServerOptions & { readonly server: TServer },
): TServer {
  const settings = readAdapterOptions('toMcpServer', toolbox, options, { ...serverOptions, server: true });
  const { server, telemetry } = settings;
  if (telemetry !== undefined && typeof telemetry?.within !== 'function')
    throw new ToolpactError('invalid_option', 'telemetry must be what `openTelemetry()` of toolpact/telemetry gives', {
      option: 'telemetry',
    });
  // A server of the SDK is connected to one client.
  answerMcpRequests(server, served(toolbox, settings, server));
  return server;
}

function served(toolbox: ServedToolbox, options: McpServerOptions, run?: object): McpTools {
  const { tools, list, emit } = toolbox;
  return createMcpTools(
    {
      tools,
      list,
      emit,
      answer: (call, { signal, onProgress, ...context }, host) => {
        // The application's own facts about a call outweigh those of its client.
        const answering = {
          emit,
          answer: (asked, own) => toolbox.answer(asked, { ...context, ...own } as CallContext<never>),
        } satisfies Pick<CallableToolbox, 'answer' | 'emit'>;
        return answerHost(answering, 'mcp', options, call, { run, turn: undefined, signal, onProgress, host });
      },
    },
    { ...options, ...(options.dialect !== undefined && { encode: encodeIn(options.dialect) }) },
  );
}

/** Writes the envelope of a dialect as the text of a result; flag and structured content stay the protocol's own. */
function encodeIn(dialect: ModelDialect): NonNullable<McpToolsOptions['encode']> {
  return (outcome) => ({ ...mcp.encode(outcome, { strict: true }), content: [{ type: 'text', text: textFor(outcome, dialect) }] });
}
