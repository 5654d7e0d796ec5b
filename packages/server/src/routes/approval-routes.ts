import type {
  Approval,
  ApprovalMethods,
  ApprovalPageRequest,
  Decided,
  DecisionFacts,
  FailureKind,
  GrantPageRequest,
  Issue,
  JsonObject,
} from 'toolpact';
import { isRecord, withoutAbsent } from 'toolpact/internal';
import { type Identity, namedBy } from '../auth/identity.ts';
import { describe, queryParameter } from '../openapi/operation.ts';
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

interface Decision extends Pick<DecisionFacts, 'reason' | 'input' | 'grant'> {
  readonly decision: 'approve' | 'deny';
}

const defaultPage = 100;
const maxPage = 1_000;
/** A page ends after so many characters: an approval holds the arguments of its call, which may be as large as a body. */
const maxPageChars = 1_048_576;
/** The most approvals that are read from the store at once. */
const step = 10;

const text: JsonObject = { type: 'string' };
const schemas = { Approval: guardSchemas.Approval, Grant: guardSchemas.Grant };

/** The most that are decided in one request. */
const mostAtOnce = 100;

const exampleGrant = 'grant_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41';

/** The JSON Schema of a requested standing grant. */
const grantRequest: JsonObject = {
  ...object(
    {
      for: { enum: ['run', 'session', 'user'] },
      input: {
        type: 'object',
        description:
          "By argument: 'any', { equals }, { oneOf } or { min, max }. All others must be equal to those of the call that is approved.",
      },
      expiresMs: { type: 'number', exclusiveMinimum: 0, description: 'Has to be given for all calls of a user. Default: a day.' },
      uses: { type: 'integer', minimum: 1 },
    },
    ['for'],
  ),
  description: 'Also allows further calls like this one without asking.',
};

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
      const filter = withoutAbsent<ApprovalPageRequest>({
        tool: readQuery(head, 'tool') || undefined,
        runId: readQuery(head, 'run') || undefined,
        sessionId: readQuery(head, 'session') || undefined,
        like: readQuery(head, 'like') || undefined,
      } as ApprovalPageRequest);
      const after = readQuery(head, 'after') || undefined;
      const page = await askStore(async () => {
        // The list would start anew, and its reader would go round in circles.
        if (after !== undefined && (await approvals.get(after)) === undefined) return undefined;
        return readPage(approvals, Math.min(limit, maxPage), after, filter);
      });
      if (page === storeFailed) return refuseWithoutStore(server, request);
      if (page === undefined) {
        return server.refuse(
          request,
          'invalid_input',
          'after must be the `next` of an earlier page. Leave it out to begin with the first page.',
        );
      }
      return encodeJson(traceOf(head), page);
    },
    docs: describe('Approvals', 'listApprovals', 'List the calls that wait for a decision', 'Those of your tenant, oldest first.', {
      parameters: [
        queryParameter('after', 'The `next` of the previous page.', text, exampleId),
        ...pageParameters.slice(1),
        queryParameter('tool', 'Only those for this tool.', text, 'refund'),
        queryParameter('run', 'Only those of this run.', text, 'run_cfe213'),
        queryParameter('session', 'Only those of this session.', text, 'session-1'),
        queryParameter('like', 'Only those like the one with this handle.', text, exampleId),
      ],
      gives: [
        'One page of approvals. `next` is there when more follow.',
        object({ approvals: { type: 'array', items: schemaRef('Approval') }, next: text }, ['approvals']),
      ],
      fails: [400],
      schemas,
    }),
  },
  {
    method: 'POST',
    path: '/v1/approvals/{handle}',
    scope: 'approvals:decide',
    needs: 'store',
    read: 'json',
    async run(request, server) {
      const { head, identity, param: handle } = request;
      const given = readDecision(request.value);
      if (given === undefined) return server.refuse(request, 'invalid_input', wrongDecision);
      const { decision, ...facts } = given;
      const decided = await askStore(() => approvalsOf(server, identity).decide(handle, decision, { ...decider(identity), ...facts }));
      if (decided === storeFailed) return refuseWithoutStore(server, request);
      if (decided.ok) return encodeJson(traceOf(head), withoutAbsent({ approval: decided.approval, grant: decided.grant }));
      const [kind, message, options] = refusalOf(decided);
      return server.refuse(request, kind, message, kind === 'forbidden' ? { denied: 'forbidden', identity } : options);
    },
    docs: describe('Approvals', 'decideApproval', 'Allow or deny a waiting call', 'Only the first decision counts.', {
      parameters: [pathParameter('handle', 'The handle of the pending call.', exampleId)],
      body: [
        'The decision.',
        object(
          {
            decision: { enum: ['approve', 'deny'] },
            reason: { type: 'string', maxLength: 2_000 },
            input: { type: 'object', description: 'New arguments for the call, all of them.' },
            grant: grantRequest,
          },
          ['decision'],
        ),
        { decision: 'approve' },
      ],
      gives: [
        'The approval, and the standing grant that was given with it.',
        object({ approval: schemaRef('Approval'), grant: schemaRef('Grant') }, ['approval']),
      ],
      fails: [400, 403, 404, 409, 413, 415],
      schemas,
    }),
  },
  {
    method: 'POST',
    path: '/v1/approvals',
    scope: 'approvals:decide',
    needs: 'store',
    read: 'json',
    async run(request, server) {
      const { head, identity } = request;
      const given = readDecision(request.value);
      const handles = isRecord(request.value) ? request.value.handles : undefined;
      const isSound = Array.isArray(handles) && handles.length <= mostAtOnce && handles.every((handle) => typeof handle === 'string');
      if (given === undefined || given.input !== undefined || given.grant !== undefined || !isSound)
        return server.refuse(request, 'invalid_input', wrongDecisions);
      const { decision, reason } = given;
      const facts = { ...decider(identity), ...(reason !== undefined && { reason }) };
      const all = await askStore(() => approvalsOf(server, identity).decideAll(handles, decision, facts));
      if (all === storeFailed) return refuseWithoutStore(server, request);
      const decided = all.map(({ handle, decided }) => {
        if (decided.ok) return { handle, ok: true, approval: decided.approval };
        const [kind, message] = refusalOf(decided);
        return { handle, ok: false, kind, message };
      });
      return encodeJson(traceOf(head), { decided });
    },
    docs: describe(
      'Approvals',
      'decideApprovals',
      'Allow or deny several waiting calls',
      'Each is decided by itself: some may be refused.',
      {
        body: [
          'The decision, and the handles of those that the person was shown.',
          object(
            {
              handles: { type: 'array', items: text, maxItems: mostAtOnce },
              decision: { enum: ['approve', 'deny'] },
              reason: { type: 'string', maxLength: 2_000 },
            },
            ['handles', 'decision'],
          ),
          { handles: [exampleId], decision: 'approve' },
        ],
        gives: [
          'What became of each, in the same order.',
          object({
            decided: {
              type: 'array',
              items: object({ handle: text, ok: { type: 'boolean' }, approval: schemaRef('Approval'), kind: text, message: text }, [
                'handle',
                'ok',
              ]),
            },
          }),
        ],
        fails: [400, 413, 415],
        schemas,
      },
    ),
  },
  {
    method: 'GET',
    path: '/v1/grants',
    scope: 'approvals:decide',
    needs: 'store',
    async run(request, server) {
      const { head, identity } = request;
      const limit = readCount(head, 'limit', defaultPage, 1);
      if (limit === undefined) return server.refuse(request, 'invalid_input', 'limit must be a whole number from 1.');
      const [after, tool] = [readQuery(head, 'after') || undefined, readQuery(head, 'tool') || undefined];
      const asked = withoutAbsent<GrantPageRequest & { readonly limit: number }>({
        all: readQuery(head, 'all') === 'true',
        tool,
        after,
        limit: Math.min(limit, maxPage) + 1,
      } as GrantPageRequest & { readonly limit: number });
      const grants = await askStore(() => approvalsOf(server, identity).grants.list(asked));
      if (grants === storeFailed) return refuseWithoutStore(server, request);
      const page = grants.slice(0, asked.limit - 1);
      const next = grants.length > page.length ? page.at(-1)?.id : undefined;
      return encodeJson(traceOf(head), withoutAbsent({ grants: page, next }));
    },
    docs: describe(
      'Approvals',
      'listGrants',
      'List the standing grants',
      'Valid grants of your tenant, in the order in which they were given.',
      {
        parameters: [
          queryParameter('all', 'Also those that have ended.', { enum: ['true'] }, 'true'),
          queryParameter('tool', 'Only those for this tool.', text, 'refund'),
          queryParameter('after', 'The `next` of the previous page.', text, exampleGrant),
          ...pageParameters.slice(1),
        ],
        gives: [
          'One page of grants. `next` is there when more follow.',
          object({ grants: { type: 'array', items: schemaRef('Grant') }, next: text }, ['grants']),
        ],
        fails: [400],
        schemas,
      },
    ),
  },
  {
    method: 'DELETE',
    path: '/v1/grants/{id}',
    scope: 'approvals:decide',
    needs: 'store',
    async run(request, server) {
      const { head, identity, param: id } = request;
      const { by } = decider(identity);
      const grant = await askStore(() => approvalsOf(server, identity).grants.revoke(id, { ...(by !== undefined && { by }) }));
      if (grant === storeFailed) return refuseWithoutStore(server, request);
      if (grant === undefined) return server.refuse(request, 'not_found', 'There is no such grant.');
      return encodeJson(traceOf(head), { grant });
    },
    docs: describe('Approvals', 'revokeGrant', 'Revoke a standing grant', 'From now on no call begins under it.', {
      parameters: [pathParameter('id', 'The id of the grant.', exampleGrant)],
      gives: ['The grant.', object({ grant: schemaRef('Grant') })],
      fails: [404],
      schemas,
    }),
  },
];

interface ApprovalPage {
  readonly approvals: readonly Approval[];
  /** The handle to go on after; absent on the last page. */
  readonly next?: string;
}

/** Reads as many approvals as fit into one answer, at least one. */
async function readPage(
  approvals: ApprovalMethods,
  limit: number,
  after: string | undefined,
  filter: ApprovalPageRequest,
): Promise<ApprovalPage> {
  const page: Approval[] = [];
  let chars = 0;
  for (let last = after; ; last = page.at(-1)?.handle) {
    const wanted = Math.min(step, limit + 1 - page.length);
    const read = await approvals.list({ ...filter, limit: wanted, ...(last !== undefined && { after: last }) });
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

const wrongDecision = 'The body must be { "decision": "approve" | "deny", "reason"?: text, "input"?: object, "grant"?: object }.';

const wrongDecisions = `The body must be { "handles": at most ${mostAtOnce} texts, "decision": "approve" | "deny", "reason"?: text }.`;

/** Who decides is known from the credential, never from the body. */
function decider(identity: Identity): Pick<DecisionFacts, 'by' | 'roles'> {
  const { roles } = identity;
  return { ...namedBy(identity), ...(roles !== undefined && { roles }) };
}

/** Says why nothing was decided. */
function refusalOf(
  decided: Decided & { readonly ok: false },
): [kind: FailureKind, message: string, options?: { readonly issues?: readonly Issue[]; readonly code?: string }] {
  const { why, approval, message = '', issues = [] } = decided;
  switch (why) {
    case 'unknown':
      return ['not_found', 'There is no such approval.'];
    case 'forbidden':
      return ['forbidden', message];
    case 'invalid':
      return ['invalid_input', `These arguments cannot be approved: ${issues.map(toLine).join('; ')}.`, { issues }];
    case 'expired':
      return ['conflict', 'The approval expired before it was decided.', { code: 'approval_expired' }];
    default:
      return ['conflict', `The approval was decided before: ${approval?.state ?? 'decided'}.`];
  }
}

function toLine({ path, problem, expected, message }: Issue): string {
  if (problem === 'missing') return `${path.join('.')}${expected === undefined ? '' : ` (${expected})`} is required`;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function readDecision(value: unknown): Decision | undefined {
  const { decision, reason, input, grant } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (decision !== 'approve' && decision !== 'deny') return undefined;
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > 2_000)) return undefined;
  if (input !== undefined && (!isRecord(input) || decision === 'deny')) return undefined;
  if (grant !== undefined && (!isRecord(grant) || decision === 'deny' || input !== undefined)) return undefined;
  return withoutAbsent<Decision>({ decision, reason, input: input as JsonObject, grant: grant as never });
}
