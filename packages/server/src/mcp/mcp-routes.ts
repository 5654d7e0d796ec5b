import type { Outcome } from 'toolpact';
import { makeFailure, toSharedContext } from 'toolpact/internal';
import { hasScope } from '../auth/identity.ts';
import { toClient } from '../request/client.ts';
import { toHeader } from '../request/encode-outcome.ts';
import { fromResponse, type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { makeCall, type PreparedCall } from '../request/make-call.ts';
import { checkBodyHead, readJson } from '../request/read-json.ts';
import { traceOf } from '../request/refusal.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import { isOffered, meantBy } from '../request/search-tools.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';
import { type McpCaller, rememberedBy } from './caller.ts';
import type { McpEndpoint } from './endpoint.ts';
import type { JsonRpcAnswer } from './plain-call.ts';

/** MCP over Streamable HTTP, for the same callers and under the same limits as everything else. */
export const mcpRoutes: readonly Route[] = [{ method: '*', path: '/mcp', option: 'mcp', startsWork: true, run: answerMcp }];

interface TracedCaller extends McpCaller {
  /** The trace of the last call that was made. */
  traceId: string | undefined;
}

/** Answers a request over Streamable HTTP with the endpoint of a server. */
export async function answerMcp(request: RouteRequest, server: ServerState): Promise<HttpAnswer> {
  const { head } = request;
  const { refuse, settings } = server;
  // The route is offered only by a server that has it.
  const mcp = server.mcp as McpEndpoint;
  const caller = createCaller(request, server);
  if (isAnswer(caller)) return caller;
  let body: unknown;
  if (head.method === 'POST') {
    const read = checkBodyHead(head.header, settings) ?? readJson(await head.readBody(settings.maxBodyBytes), settings);
    if (!('value' in read)) return malformed(read.message, refuse(request, read.kind, read.message, read.options));
    body = read.value;
    if (Array.isArray(body) && body.length > settings.maxBatch) {
      const message = `The request has ${body.length} messages; ${settings.maxBatch} are allowed.`;
      return malformed(message, refuse(request, 'invalid_input', message), -32600);
    }
    const plainCall = mcp.readPlainCall?.(head, body);
    if (plainCall !== undefined) return toAnswer(await plainCall(caller), caller);
  }
  const { status, headers, body: sent } = fromResponse(await mcp.fetch(toRequest(head), caller, body));
  // A stream begins before its call has ended, and so without the trace that the call gets.
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const traceId = caller.traceId ?? (isStream ? undefined : traceOf(head));
  return { status, headers: traceId === undefined ? headers : { ...headers, 'x-trace-id': toHeader(traceId) }, body: sent };
}

/** Creates the caller of a request, as MCP needs it, or refuses headers that are wrong. */
function createCaller(request: RouteRequest, server: ServerState): TracedCaller | HttpAnswer {
  const { head, identity } = request;
  const read = server.contextOf(request);
  if (isAnswer(read)) return read;
  const { permit, settings } = server;
  // One request may bring several calls, and one call may be made again once it is approved.
  const shared = read.context && toSharedContext(read.context);
  const client = head.client();
  const { tenantId, subject, keyId, scopes } = identity;
  const caller: TracedCaller = {
    tenantId,
    scopes,
    by: subject ?? keyId,
    roles: identity.roles,
    tasksOf: settings.authenticators.length === 0 ? undefined : (subject ?? ''),
    traceId: undefined,
    key: JSON.stringify([tenantId, subject ?? keyId ?? '']),
    mayDecide: hasScope(identity, 'approvals:decide'),
    remembered: rememberedBy(server.toolboxOf(identity)),
    mayCall: (tool) => isOffered(server.toolbox, identity, tool),
    async call(stated, context, meta) {
      const { name, args } = meantBy(server.toolbox, stated.name, stated.args);
      const { signal, onProgress, ...own } = context;
      const permitted = permit(request, identity, String(name));
      if (isAnswer(permitted)) {
        caller.traceId = permitted.headers['x-trace-id'];
        return forbidden(name, caller.traceId);
      }
      // A signal of the SDK fires for a cancelled request too, which the connection knows nothing of.
      const sdkClient = signal === undefined || signal === client.signal ? undefined : toClient(signal);
      const call: PreparedCall = {
        head: withMeta(head, meta),
        client: sdkClient ?? client,
        identity,
        name: permitted ?? name,
        args,
        // A trace, a key and an id in the request itself are nearer to the call than those of its headers.
        context: { ...shared, ...own, adapter: 'mcp' },
        echo: {},
      };
      const outcome = await makeCall(server, call, onProgress);
      sdkClient?.release();
      caller.traceId = outcome.meta.traceId;
      return outcome;
    },
  };
  return caller;
}

/** Lets a request's `_meta` say what its headers otherwise would, such as `traceparent`. */
function withMeta(head: RequestHead, meta: Readonly<Record<string, unknown>>): RequestHead {
  if (!('traceparent' in meta)) return head;
  const header = (name: string): string | undefined => {
    const value = meta[name];
    return typeof value === 'string' ? value : head.header(name);
  };
  return { ...head, header };
}

/** Returns a request as the SDK needs it. Its body was read already. */
function toRequest(head: RequestHead): Request {
  const { method, path, search, header } = head;
  return new Request(`http://${header('host') ?? 'localhost'}${path}${search}`, {
    method,
    headers: head.allHeaders(),
    signal: head.client().signal,
  });
}

function forbidden(tool: unknown, traceId: string | undefined): Outcome {
  const meta = { ...(typeof tool === 'string' && { tool }), ...(traceId !== undefined && { traceId }), tookMs: 0.001, attempts: 0 };
  const error = makeFailure('forbidden', { message: 'This credential may not call this tool.', effect: 'none' });
  return Object.freeze({ status: 'error', error, meta: Object.freeze(meta) });
}

function toAnswer(message: JsonRpcAnswer, { traceId }: TracedCaller): HttpAnswer {
  const headers = traceId === undefined ? jsonHeaders : { ...jsonHeaders, 'x-trace-id': toHeader(traceId) };
  // The only error of a plain call is that its client lacks a capability, for which the protocol wants this status.
  return { status: message.error === undefined ? 200 : 400, headers, body: JSON.stringify(message) };
}

const jsonHeaders = Object.freeze({ ...securityHeaders, 'content-type': 'application/json' });

/** Clients of MCP read errors as JSON-RPC; the status and the headers are those of any other refusal. */
function malformed(message: string, { status, headers }: HttpAnswer, code = status === 400 ? -32700 : -32000): HttpAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body };
}
