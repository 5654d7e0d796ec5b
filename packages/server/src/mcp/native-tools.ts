import { type McpServer, ProtocolError, type Server, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { answerMcpRequests, isThenable, type McpRequest, type McpTool, type McpTools, readMcpRequest } from 'toolpact/internal';

type Handler = (request: { readonly params?: unknown }, extra: unknown) => unknown;
type Configure = (server: McpServer) => unknown;
type SetHandler = (method: string, handler: Handler) => void;

const methodNotFound = -32601;

/** The tools of a toolbox as a server answers with them. */
export interface OwnTools extends Pick<McpTools, 'call'> {
  readonly list: (request: McpRequest) => { tools: McpTool[] };
  /** Checks whether a name, in the spelling of the list, is one of theirs. */
  readonly owns: (name: unknown) => boolean;
  /** Notes that a request asked for a method that there is not. */
  readonly refuse: (extra: unknown) => void;
  /** Those with arguments that clients repeat as HTTP headers. */
  readonly withHeaders: readonly McpTool[];
}

/**
 * Creates a server answer with the tools of a toolbox, and with those that `configure` registers besides: a name that both have is the
 * toolbox's. The toolbox's calls are taken before the SDK looks at them, unless there are others, which need the SDK to look.
 */
export function addNativeTools(server: McpServer, tools: OwnTools, configure: Configure | undefined): McpServer | Promise<McpServer> {
  if (configure === undefined) return answerWith(server, tools, new Map());
  const native = new Map<string, Handler>();
  const stop = captureTools(server.server, native);
  const finish = (): McpServer => {
    stop();
    return answerWith(server, tools, native);
  };
  const configured = configure(server);
  return isThenable(configured) ? Promise.resolve(configured).then(finish) : finish();
}

function answerWith(server: McpServer, tools: OwnTools, native: ReadonlyMap<string, Handler>): McpServer {
  const low = server.server;
  shadowHeaderTools(server, tools, native.size > 0);
  if (native.size === 0) {
    for (const method of ['tools/list', 'tools/call']) low.removeRequestHandler(method);
    low.fallbackRequestHandler ??= async (_request, extra) => {
      tools.refuse(extra);
      throw new ProtocolError(methodNotFound, 'Method not found');
    };
    answerMcpRequests(low, tools);
    return server;
  }
  const answers: Readonly<Record<string, (theirs: Handler) => Handler>> = {
    'tools/list': (theirs) => async (request, extra) => {
      // A cursor asks for a later page of theirs; ours are all on the first.
      const isFirst = (request.params as { readonly cursor?: unknown } | undefined)?.cursor === undefined;
      const ours = isFirst ? tools.list(readMcpRequest(request.params, extra)).tools : [];
      const listed = (await theirs(request, extra)) as { readonly tools: readonly McpTool[] };
      return { ...listed, tools: [...ours, ...listed.tools.filter(({ name }) => !tools.owns(name))] };
    },
    'tools/call': (theirs) => (request, extra) => {
      const { name } = (request.params ?? {}) as { name?: unknown };
      return tools.owns(name) ? tools.call(request.params, readMcpRequest(request.params, extra)) : theirs(request, extra);
    },
  };
  for (const [method, theirs] of native) setHandler(low, method, answers[method]?.(theirs) ?? theirs);
  return server;
}

/** Keeps the handlers for tools that are set from now on; the function given back ends it. */
function captureTools(low: Server, captured: Map<string, Handler>): () => void {
  const set = low.setRequestHandler;
  const watch: SetHandler = (method, ...rest) => {
    if (method.startsWith('tools/')) captured.set(method, rest[0]);
    (set as (...args: unknown[]) => void).call(low, method, ...rest);
  };
  low.setRequestHandler = watch as never;
  return () => {
    low.setRequestHandler = set;
  };
}

function setHandler(low: Server, method: string, handler: Handler): void {
  (low.setRequestHandler as SetHandler).call(low, method, handler);
}

/** The SDK compares headers with arguments for tools registered with it, so those that need it are; it never gets to call them. */
function shadowHeaderTools(server: McpServer, { withHeaders }: OwnTools, changes: boolean): void {
  if (withHeaders.length === 0) return;
  if (!changes) server.server.registerCapabilities({ tools: { listChanged: false } });
  for (const { name, description, inputSchema } of withHeaders) {
    const jsonSchema = { input: () => inputSchema, output: () => inputSchema };
    const schema: StandardSchemaWithJSON = {
      '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }), jsonSchema },
    };
    server.registerTool(name, { description, inputSchema: schema }, () => ({ content: [] }));
  }
}
