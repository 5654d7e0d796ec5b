import type { Hono } from 'hono';
import type { Approval, ApprovalMethods, Decided } from '../../../parts/guards/index.ts';
import { hasScope, type Identity } from '../auth/identity.ts';
import type { ServedToolbox, ServerParts } from '../server-options.ts';
import { refuseStore } from './stored-call-routes.ts';
import { readCount } from './tool-routes.ts';

interface Decision {
  readonly decision: 'approve' | 'deny';
  readonly reason?: string;
}

const defaultPage = 100;
const maxPage = 1_000;
/** A page ends after so many characters: an approval holds the arguments of its call, which may be as large as a body. */
const maxPageChars = 1_048_576;
/** So many approvals are read from the store at once. */
const step = 10;

/** Adds the routes on which somebody decides about calls that wait. They need a scope of their own: who calls tools does not approve them. */
export function addApprovalRoutes(app: Hono, parts: ServerParts): void {
  app.get('/v1/approvals', async ({ req }) => {
    const reach = await reachFor(parts, req.raw);
    if (reach instanceof Response) return reach;
    const limit = readCount(req.query('limit'), defaultPage, 1);
    if (limit === undefined) return parts.refuse(req.raw, 'invalid_input', 'limit must be a whole number from 1.');
    try {
      return parts.json(req.raw, await readPage(reach.listApprovals, Math.min(limit, maxPage), req.query('after')));
    } catch {
      return refuseStore(parts, req.raw);
    }
  });
  app.post('/v1/approvals/:handle', async ({ req }) => {
    const reach = await reachFor(parts, req.raw);
    if (reach instanceof Response) return reach;
    const body = await parts.readJson(req.raw);
    if (body instanceof Response) return body;
    const decision = readDecision(body.value);
    if (decision === undefined) {
      return parts.refuse(req.raw, 'invalid_input', 'The body must be { "decision": "approve" | "deny", "reason"?: text }.');
    }
    const by = reach.identity.subject ?? reach.identity.keyId;
    const facts = { ...(by !== undefined && { by }), ...(decision.reason !== undefined && { reason: decision.reason }) };
    try {
      return answerDecided(parts, req.raw, await reach.decide(req.param('handle'), decision.decision, facts));
    } catch {
      return refuseStore(parts, req.raw);
    }
  });
}

interface ApprovalPage {
  readonly approvals: readonly Approval[];
  /** The handle to go on after; absent on the last page. */
  readonly next?: string;
}

/** Reads as many approvals as fit into one answer, at least one. */
async function readPage(list: ApprovalMethods['listApprovals'], limit: number, after: string | undefined): Promise<ApprovalPage> {
  const approvals: Approval[] = [];
  let chars = 0;
  for (let last = after; ; last = approvals.at(-1)?.handle) {
    const wanted = Math.min(step, limit + 1 - approvals.length);
    const read = await list({ limit: wanted, ...(last !== undefined && { after: last }) });
    for (const approval of read) {
      chars += JSON.stringify(approval).length;
      if (approvals.length > 0 && (approvals.length === limit || chars > maxPageChars)) {
        return { approvals, next: approvals.at(-1)?.handle ?? '' };
      }
      approvals.push(approval);
    }
    if (read.length < wanted) return { approvals };
  }
}

async function reachFor(
  parts: ServerParts,
  request: Request,
): Promise<(Required<Pick<ServedToolbox, 'decide' | 'listApprovals'>> & { readonly identity: Identity }) | Response> {
  const identity = await parts.identify(request);
  if (identity instanceof Response) return identity;
  if (!hasScope(identity, 'approvals:decide')) {
    return parts.refuse(request, 'forbidden', 'This credential may not decide about calls.', { denied: 'forbidden', identity });
  }
  const { decide, listApprovals } = parts.toolboxOf(identity);
  if (decide === undefined || listApprovals === undefined) {
    return parts.refuse(request, 'unsupported', 'This server does not do that: its toolbox has no approvals guard.');
  }
  return { identity, decide, listApprovals };
}

function answerDecided(parts: ServerParts, request: Request, decided: Decided): Response {
  if (decided.ok) return parts.json(request, { approval: decided.approval });
  if (decided.why === 'unknown') return parts.refuse(request, 'not_found', 'There is no such approval.');
  const expired = decided.why === 'expired';
  const message = expired
    ? 'The approval expired before it was decided.'
    : `The approval was decided before: ${decided.approval?.state ?? 'decided'}.`;
  return parts.refuse(request, 'conflict', message, expired ? { code: 'approval_expired' } : {});
}

function readDecision(value: unknown): Decision | undefined {
  const { decision, reason } = (value ?? {}) as { readonly decision?: unknown; readonly reason?: unknown };
  if ((decision !== 'approve' && decision !== 'deny') || (reason !== undefined && (typeof reason !== 'string' || reason.length > 2_000)))
    return undefined;
  return { decision, ...(reason !== undefined && { reason }) };
}
