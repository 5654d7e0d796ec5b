import type { Approval, ApprovalMethods, JsonObject } from 'toolpact';
import type { Identity } from '../auth/identity.ts';
import { failureRefs } from '../openapi/failures.ts';
import { answer, body, operation, queryParameter, refused } from '../openapi/operation.ts';
import { pageParameters, pathParameter } from '../openapi/parameters.ts';
import { guardSchemas, object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { askStore, refuseWithoutStore, storeFailed } from './ask-store.ts';
import { readCount, readQuery } from './read-query.ts';
import { exampleId } from './visible-calls.ts';

interface Decision {
  readonly decision: 'approve' | 'deny';
  readonly reason?: string;
}

const defaultPage = 100;
const maxPage = 1_000;
/** A page ends after so many characters: an approval holds the arguments of its call, which may be as large as a body. */
const maxPageChars = 1_048_576;
/** The most approvals that are read from the store at once. */
const step = 10;

const text: JsonObject = { type: 'string' };
const schemas = { Approval: guardSchemas.Approval };

/** The routes on which people decide about calls that wait. They need a scope of their own: a caller of tools does not approve them. */
export const approvalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/approvals',
    scope: 'approvals:decide',
    needs: 'store',
    async run(request, server) {
      const { head, identity } = request;
      const limit = readCount(head, 'limit', defaultPage, 1);
      if (limit === undefined) return server.refuse(request, 'invalid_input', 'limit must be a whole number from 1.');
      const approvals = approvalsOf(server, identity);
      const after = readQuery(head, 'after') || undefined;
      const page = await askStore(async () => {
        // The list would start anew, and its reader would go round in circles.
        if (after !== undefined && (await approvals.get(after)) === undefined) return undefined;
        return readPage(approvals, Math.min(limit, maxPage), after);
      });
      if (page === storeFailed) return refuseWithoutStore(server, request);
      if (page === undefined) {
        return server.refuse(request, 'invalid_input', 'after must be the `next` of an earlier page. Leave it out to start anew.');
      }
      return encodeJson(traceOf(head), page);
    },
    docs: {
      group: 'Approvals',
      operation: operation('listApprovals', 'List the calls that wait for a decision', 'Those of the own tenant, oldest first.', {
        parameters: [
          queryParameter('after', 'Where to go on: the `next` of the page before.', text, exampleId),
          ...pageParameters.slice(1),
        ],
        responses: {
          200: answer(
            'One page of approvals. `next` is there when more follow.',
            object({ approvals: { type: 'array', items: schemaRef('Approval') }, next: text }, ['approvals']),
          ),
          ...failureRefs([400, ...refused]),
        },
      }),
      schemas,
    },
  },
  {
    method: 'POST',
    path: '/v1/approvals/{handle}',
    scope: 'approvals:decide',
    needs: 'store',
    read: 'json',
    async run(request, server) {
      const { head, identity, param: handle } = request;
      const decision = readDecision(request.value);
      if (decision === undefined) {
        return server.refuse(request, 'invalid_input', 'The body must be { "decision": "approve" | "deny", "reason"?: text }.');
      }
      const by = identity.subject ?? identity.keyId;
      const facts = { ...(by !== undefined && { by }), ...(decision.reason !== undefined && { reason: decision.reason }) };
      const decided = await askStore(() => approvalsOf(server, identity).decide(handle, decision.decision, facts));
      if (decided === storeFailed) return refuseWithoutStore(server, request);
      if (decided.ok) return encodeJson(traceOf(head), { approval: decided.approval });
      if (decided.why === 'unknown') return server.refuse(request, 'not_found', 'There is no such approval.');
      const expired = decided.why === 'expired';
      const state = decided.approval?.state ?? 'decided';
      const message = expired ? 'The approval expired before it was decided.' : `The approval was decided before: ${state}.`;
      return server.refuse(request, 'conflict', message, expired ? { code: 'approval_expired' } : {});
    },
    docs: {
      group: 'Approvals',
      operation: operation('decideApproval', 'Allow or deny a call that waits', 'Only the first decision counts.', {
        parameters: [pathParameter('handle', 'The handle of the pending call.', exampleId)],
        requestBody: body(
          'The decision.',
          object({ decision: { enum: ['approve', 'deny'] }, reason: { type: 'string', maxLength: 2_000 } }, ['decision']),
          { decision: 'approve' },
        ),
        responses: {
          200: answer('The approval.', object({ approval: schemaRef('Approval') })),
          ...failureRefs([400, 404, 409, 413, 415, ...refused]),
        },
      }),
      schemas,
    },
  },
];

interface ApprovalPage {
  readonly approvals: readonly Approval[];
  /** The handle to go on after; absent on the last page. */
  readonly next?: string;
}

/** Reads as many approvals as fit into one answer, at least one. */
async function readPage(approvals: ApprovalMethods, limit: number, after: string | undefined): Promise<ApprovalPage> {
  const page: Approval[] = [];
  let chars = 0;
  for (let last = after; ; last = page.at(-1)?.handle) {
    const wanted = Math.min(step, limit + 1 - page.length);
    const read = await approvals.list({ limit: wanted, ...(last !== undefined && { after: last }) });
    for (const approval of read) {
      chars += JSON.stringify(approval).length;
      if (page.length > 0 && (page.length === limit || chars > maxPageChars)) {
        return { approvals: page, next: page.at(-1)?.handle ?? '' };
      }
      page.push(approval);
    }
    if (read.length < wanted) return { approvals: page };
  }
}

/** The route is offered only where there are approvals. */
function approvalsOf(server: ServerState, identity: Identity): ApprovalMethods {
  return server.toolboxOf(identity).approvals as ApprovalMethods;
}

function readDecision(value: unknown): Decision | undefined {
  const { decision, reason } = (value ?? {}) as { readonly decision?: unknown; readonly reason?: unknown };
  if ((decision !== 'approve' && decision !== 'deny') || (reason !== undefined && (typeof reason !== 'string' || reason.length > 2_000)))
    return undefined;
  return { decision, ...(reason !== undefined && { reason }) };
}
