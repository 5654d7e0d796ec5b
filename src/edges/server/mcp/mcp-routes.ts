import type { Hono } from 'hono';
import { makeFailure, type Outcome } from '../../../core/outcome/index.ts';
import { hasScope, type Identity, mayCall } from '../auth/identity.ts';
import { toHeader } from '../request/encode-outcome.ts';
import type { Gate } from '../request/gate.ts';
import { admit, makeCall } from '../request/make-call.ts';
import { checkBodyHead, parseJson } from '../request/read-json.ts';
import { type Answer, type Asked, toAsked, toResponse } from '../request/request-head.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerParts } from '../server-options.ts';
import type { McpCaller } from './caller.ts';
import { checkMcpSettings } from './check-settings.ts';
import { createMcpEndpoint } from './endpoint.ts';

/** Where MCP is served. */
const mcpPath = '/mcp';

/** Adds MCP over Streamable HTTP, for the same callers and under the same limits as everything else. */
export function addMcpRoutes(app: Hono, parts: Pick<ServerParts, 'direct' | 'closers'>, gate: Gate): void {
  if (gate.settings.mcp === false) return;
  const settings = checkMcpSettings(gate.settings.mcp ?? {}, gate.toolbox);
  const { fetch, fastCall, close } = createMcpEndpoint(gate.toolbox, settings, gate.settings.telemetry);
  parts.closers.push(close);
  app.all(mcpPath, async ({ req }) => {
    const asked = toAsked(req.raw);
    const caller = await callerOf(gate, asked);
    if ('body' in caller) return toResponse(caller);
    if (req.method !== 'POST') return fetch(req.raw, caller, undefined);
    const read = await gate.readBody(req.raw);
    if (!('value' in read)) return malformed(read.message, gate.refuse(asked, read.kind, read.message, read.options));
    if (Array.isArray(read.value) && read.value.length > gate.settings.maxBatch) {
      const message = `The request has ${read.value.length} messages; ${gate.settings.maxBatch} are allowed.`;
      return malformed(message, gate.refuse(asked, 'invalid_input', message), -32600);
    }
    const answer = fastCall?.(asked, read.value);
    if (answer !== undefined) return toResponse(toAnswer(await answer(caller), caller));
    const response = await fetch(req.raw, caller, read.value);
    // A stream begins before its call has ended, and so without knowing the trace that the call gets.
    if (caller.traceId !== undefined) response.headers.set('x-trace-id', toHeader(caller.traceId));
    return response;
  });
  if (fastCall === undefined) return;
  parts.direct.push({
    matches: ({ method, path, header }) =>
      method === 'POST' && path === mcpPath && header('mcp-session-id') === undefined && header('origin') === undefined,
    async answer(asked, body) {
      const read = checkBodyHead(asked.header, gate.settings) ?? parseJson(body, gate.settings);
      const answer = 'value' in read ? fastCall(asked, read.value) : undefined;
      if (answer === undefined) return undefined;
      const caller = await callerOf(gate, asked, true);
      return 'body' in caller ? caller : toAnswer(await answer(caller), caller);
    },
  });
}

interface TracedCaller extends McpCaller {
  /** The trace of the last call that was made. */
  traceId: string | undefined;
}

/** Tells who asks, as MCP needs it, or refuses. */
async function callerOf(gate: Gate, asked: Asked, isDirect = false): Promise<TracedCaller | Answer> {
  const admitted = await admit(gate, asked);
  if ('body' in admitted) return admitted;
  const { identity } = admitted;
  const read = gate.contextOf(asked, identity);
  if ('status' in read) return read;
  const { tenantId, subject, keyId, scopes } = identity;
  const caller: TracedCaller = {
    tenantId,
    scopes,
    by: subject ?? keyId,
    traceId: undefined,
    // Few calls need the rest of this.
    get key() {
      return JSON.stringify([tenantId, subject ?? keyId ?? '']);
    },
    get mayDecide() {
      return hasScope(identity, 'approvals:decide');
    },
    get decide() {
      return gate.toolbox.decide && gate.toolbox.with({ tenantId }).decide;
    },
    mayCall: (tool) => mayCall(identity, tool),
    async answer({ name, args }, context, meta) {
      const { signal, onProgress, ...told } = context;
      // A trace, a key and an id in the request itself are nearer to the call than those of its headers; who asks only the server knows.
      const own = { ...read.context, ...told, ...who(identity), adapter: 'mcp' };
      const permitted = gate.permit(asked, identity, String(name));
      if (typeof permitted === 'object') {
        caller.traceId = permitted.headers['x-trace-id'];
        return forbidden(name, caller.traceId);
      }
      const call = { ...admitted, asked: withMeta(asked, meta), name: permitted ?? name, args, context: own, echo: undefined };
      // A listener that calls directly has given its signal to whoever stops calls already.
      const outcome = isDirect
        ? await makeCall(gate, call, signal, onProgress).finally(gate.inFlight.enter())
        : await gate.inFlight.run(signal, (both) => makeCall(gate, call, both, onProgress));
      caller.traceId = outcome.meta.traceId;
      return outcome;
    },
  };
  return caller;
}

function who({ tenantId, subject }: Identity): { readonly tenantId: string; readonly userId?: string } {
  return subject === undefined ? { tenantId } : { tenantId, userId: subject };
}

/** Lets a request's `_meta` say what its headers otherwise would, such as `traceparent`. */
function withMeta(asked: Asked, meta: Readonly<Record<string, unknown>>): Asked {
  if (!('traceparent' in meta)) return asked;
  const header = (name: string): string | undefined => {
    const value = meta[name];
    return typeof value === 'string' ? value : asked.header(name);
  };
  return Object.create(asked, { header: { value: header } }) as Asked;
}

function forbidden(tool: unknown, traceId: string | undefined): Outcome {
  const meta = { ...(typeof tool === 'string' && { tool }), ...(traceId !== undefined && { traceId }), tookMs: 0.001, attempts: 0 };
  const error = makeFailure('forbidden', { message: 'This credential may not call this tool.', effect: 'none' });
  return Object.freeze({ status: 'error', error, meta: Object.freeze(meta) });
}

function toAnswer(message: object, { traceId }: TracedCaller): Answer {
  const headers = traceId === undefined ? jsonHeaders : { ...jsonHeaders, 'x-trace-id': toHeader(traceId) };
  return { status: 200, headers, body: JSON.stringify(message) };
}

const jsonHeaders = Object.freeze({ ...securityHeaders, 'content-type': 'application/json' });

/** Clients of MCP read errors as JSON-RPC; the status and the headers are those of any other refusal. */
function malformed(message: string, { status, headers }: Answer, code = status === 400 ? -32700 : -32000): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers: { ...headers, 'content-type': 'application/json' } });
}
