import { createToolbox } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { createMcpEndpoint, type McpEndpoint } from '../mcp/endpoint.ts';
import { answerMcp } from '../mcp/mcp-routes.ts';
import { toResponse } from '../request/http-answer.ts';
import type { ReportProblem } from '../request/report-problem.ts';
import { type RequestHead, toRequestHead } from '../request/request-head.ts';
import type { Route } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import type { ServedToolbox } from '../server-options.ts';
import { type OperatorApp, operatorTools } from './operator-tools.ts';
import { createServerAccess, type ServerAccess } from './server-access.ts';

/** Options of the operator endpoint. */
export interface OperatorOptions {
  /** Offers `decide_approval`: an agent with the scope `approvals:decide` then answers for people. @default false */
  readonly decide?: boolean;
}

/** The operator endpoint: its tools, and how it speaks MCP. */
export interface Operator {
  readonly toolbox: ServedToolbox;
  readonly mcp: McpEndpoint;
}

/** Creates the operator endpoint; undefined where it is switched off. */
export function createOperator(given: OperatorOptions | boolean | undefined, report: ReportProblem): Operator | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : given;
  refuseOptions<OperatorOptions>('operator', options, { decide: true });
  const toolbox: ServedToolbox = createToolbox(operatorTools(options), { report: () => undefined });
  return { toolbox, mcp: createMcpEndpoint(toolbox, { name: 'toolpact-operator', sessions: false }, report) };
}

/** MCP for coding agents that operate the server. Each of its tools asks the server over HTTP, as the caller itself could. */
export const operatorRoute: Route = {
  method: '*',
  path: '/operator/mcp',
  option: 'operator',
  startsWork: true,
  run(request, server) {
    // The route is offered only by a server that has it.
    const { toolbox, mcp } = server.operator as Operator;
    const app: OperatorApp = { server: accessFor(request.head, server) };
    const bound = toolbox.with({ app } as never);
    const { scopes: _, ...identity } = request.identity;
    // Scopes name the tools of the server. What this caller may see and do is decided where the tools ask for it.
    const state: ServerState = {
      ...server,
      toolbox: bound,
      toolboxOf: () => bound,
      permit: (_request, _identity, name) => bound.resolveName(name),
      mcp,
    };
    return answerMcp({ ...request, identity }, state);
  },
};

/** Headers that belong to the request of MCP, and not to those which its tools make. */
const ofMcp = /^(?:content-|accept|mcp-|last-event-id|idempotency-key|transfer-encoding|connection|expect)/;

/** Gives a caller access to the server as if it had sent the requests itself. */
function accessFor(head: RequestHead, { answer }: ServerState): ServerAccess {
  const headers = Object.fromEntries([...head.allHeaders()].filter(([name]) => !ofMcp.test(name)));
  return createServerAccess(async (path, init) => {
    const request = new Request(`http://${head.header('host') ?? 'localhost'}${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    return toResponse(await answer(toRequestHead(request)), request.method);
  });
}
