import { type CallFilter, type CallPage, type JsonObject, type ListedCall, type RecordedCall, ToolpactError } from 'toolpact';
import { type Identity, mayCall } from '../auth/identity.ts';
import { queryParameter } from '../openapi/operation.ts';
import { pathParameter } from '../openapi/parameters.ts';
import { readsStoredResult } from '../request/authorize-result-read.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import type { RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { askStore, refuseWithoutStore, storeFailed } from './ask-store.ts';
import { readQuery } from './read-query.ts';

const text: JsonObject = { type: 'string' };

/** The id of a call for examples. */
export const exampleId = '01a1df05-a9a0-78b1-8ab6-000000000007';

/** Describes the id of a call in a path. */
export const idParameter = pathParameter('id', 'The id of the call: its invocation id, or the handle of a pending one.', exampleId);

/** Describes the tenant in a query. */
export const tenantParameter = queryParameter(
  'tenantId',
  'The tenant, on a server without credentials; elsewhere the credential decides.',
  text,
  'acme',
);

/** Finds the call that a path names, if the caller may see it; else gives the refusal. */
export async function findVisible(request: RouteRequest, server: ServerState): Promise<RecordedCall | HttpAnswer> {
  const { identity, param: id } = request;
  const tenantId = tenantOf(request, server);
  if (isAnswer(tenantId)) return tenantId;
  const found = await askStore(async () => server.toolboxOf({ ...identity, tenantId }).calls?.get(id));
  if (found === storeFailed) return refuseWithoutStore(server, request);
  if (found !== undefined && (await mayRecall(server, identity, found))) return found;
  return server.refuse(request, 'not_found', 'There is no such call, or this credential may not see it.');
}

/** Lists calls that the caller may see. A page gets shorter by those that it may not. */
export async function listVisible(request: RouteRequest, server: ServerState, filter: CallFilter): Promise<CallPage | HttpAnswer> {
  try {
    const page = await server.toolboxOf(request.identity).calls?.list(filter);
    if (page === undefined) return refuseWithoutStore(server, request);
    return { ...page, calls: page.calls.filter((call) => maySee(request.identity, call)) };
  } catch (error) {
    if (error instanceof ToolpactError && error.code === 'invalid_argument')
      return server.refuse(request, 'invalid_input', `${error.message}.`);
    return refuseWithoutStore(server, request);
  }
}

/** Returns the tenant whose calls are meant. Only a server that asks for no credential lets its caller choose. */
export function tenantOf(request: RouteRequest, server: ServerState): string | HttpAnswer {
  const { head, identity } = request;
  const asked = readQuery(head, 'tenantId') || undefined;
  if (asked === undefined || asked === identity.tenantId) return identity.tenantId;
  if (server.settings.authenticators.length === 0) return asked;
  return server.refuse(request, 'forbidden', 'This credential belongs to another tenant.', { denied: 'tenant', identity });
}

/** Checks whether a caller sees a call in a list. A call that read stored results shows the results of other tools, so only callers who may call all tools see it. */
export function maySee(identity: Identity, { tool }: ListedCall): boolean {
  return mayCall(identity, tool) && !readsStoredResult(identity, tool);
}

/** Checks whether a caller may know what became of a call: of one that read a stored result it sees only what it could read itself. */
async function mayRecall(
  server: ServerState,
  identity: Identity,
  { tool, input }: { readonly tool: string; readonly input: unknown },
): Promise<boolean> {
  if (!mayCall(identity, tool)) return false;
  if (!readsStoredResult(identity, tool)) return true;
  const { ref } = (input ?? {}) as { readonly ref?: unknown };
  const maker = await askStore(async () => server.toolboxOf(identity).toolOfResult?.(String(ref)));
  return typeof maker === 'string' && mayCall(identity, maker);
}
