import type { CallContext } from '../../contract/index.ts';
import { canonicalJson, isRecord } from '../../json/index.ts';
import { type Issue, type JsonObject, withoutAbsent } from '../../outcome/index.ts';
import {
  type Approval,
  approvalRules,
  type Grant,
  type GrantRequest,
  type GuardedCall,
  type NewGrant,
  type StoredGrant,
  StoreFault,
} from '../../ports/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { Ask } from '../store/ask-store.ts';
import { argumentsOf } from '../store/fingerprint.ts';
import type { ApprovalRequest, StoredRequest } from './approval-question.ts';
import { coversAll, type StoredPermit, sayRules, toGrantRules } from './grant-rules.ts';

/** For how long a grant for a run or a session counts, unless its giver says so. */
const usualMs = 86_400_000;
/** How many grants of one user, session and run are looked at. */
const mostLookedAt = 500;

type Caller = Pick<CallContext, 'userId' | 'sessionId' | 'runId'>;

/** Creates the grant that a person gives together with an approval. */
export function toNewGrant(
  registry: CallRegistry,
  approval: Approval,
  ask: Pick<StoredRequest, 'terms' | 'plan'>,
  request: GrantRequest,
  by: { readonly by?: string; readonly reason?: string },
): { readonly grant: NewGrant } | { readonly issues: readonly Issue[] } {
  const refuse = (message: string, path: Issue['path'] = ['grant']) => ({ issues: [{ path, problem: 'rule' as const, message }] });
  if (!isRecord(request)) return refuse('a grant is an object');
  const unknown = Object.keys(request).find((name) => !['for', 'input', 'expiresMs', 'uses'].includes(name));
  if (unknown !== undefined) return refuse(`a grant has no ${unknown}`);
  const { for: whom, expiresMs = whom === 'user' ? undefined : usualMs, uses } = request;
  if (whom !== 'run' && whom !== 'session' && whom !== 'user') return refuse("a grant is for 'run', 'session' or 'user'");
  const { redactions = 0, cuts = 0, tool, handle } = approval;
  if (approval.grants === false) return refuse(`${tool} asks about each call: it takes no grants`);
  if (redactions + cuts > 0) return refuse('some of the arguments are hidden or cut: nobody sees what other calls would be covered');
  const scope = scopeOf(whom, approval);
  if (scope === undefined) return refuse(`the call belongs to no ${whom}, so no other call can be known to be of the same ${whom}`);
  if (expiresMs === undefined) return refuse('a grant for all calls of a user needs expiresMs');
  if (!(typeof expiresMs === 'number' && expiresMs > 0)) return refuse('expiresMs must be a number above 0');
  if (uses !== undefined && !(Number.isSafeInteger(uses) && uses > 0)) return refuse('uses must be a whole number from 1');
  const read = toGrantRules(approval.input, request.input);
  if ('issues' in read) return { issues: read.issues.map((issue) => ({ ...issue, path: ['grant', 'input', ...issue.path] })) };
  const { userId, sessionId, runId } = approval;
  const permit = withoutAbsent<StoredPermit>({
    v: 1,
    for: whom,
    userId,
    ...(whom === 'session' && { sessionId }),
    ...(whom === 'run' && { runId }),
    input: read.rules,
    words: `${sayRules(tool, read.rules)}${sayWhose(whom, approval)}`,
    terms: ask.terms,
    plan: ask.plan,
    approval: handle,
    ...by,
  } as StoredPermit);
  const id = `grant_${crypto.randomUUID()}`;
  const most = uses === undefined ? {} : { mostUses: uses };
  return { grant: { id, tool, scope, permit: permit as unknown as JsonObject, expiresMs, ...most, keepMs: registry.keepMs } };
}

/** Finds the standing grants that cover a call, the one that is over first before the others. */
export async function findGrants(
  { ledger }: Pick<CallRegistry, 'ledger'>,
  call: GuardedCall,
  { terms, plan }: Pick<ApprovalRequest, 'terms' | 'plan'>,
  ask: Ask,
): Promise<readonly string[]> {
  if (approvalRules(call.tool).grants === false) return [];
  const scopes = (['run', 'session', 'user'] as const).flatMap((whom) => scopeOf(whom, call.context) ?? []);
  if (scopes.length === 0) return [];
  const query = { tenant: call.tenantId, tool: call.tool.name, scopes, onlyActive: true, limit: mostLookedAt };
  const answer = await ask(() => ledger.grants(query));
  if (!answer.ok) return [];
  const args = argumentsOf(call);
  return answer.value
    .filter((grant) => {
      const permit = readPermit(grant);
      if (permit === undefined || permit.terms !== terms || permit.plan !== plan) return false;
      return scopes.includes(grant.scope) && grant.scope === scopeOf(permit.for, call.context) && coversAll(permit.input, args);
    })
    .toSorted((one, other) => one.expiresAt - other.expiresAt)
    .map(({ id }) => id);
}

/** Shows a stored grant. */
export function toGrant(grant: StoredGrant): Grant {
  const permit = readPermit(grant);
  if (permit === undefined) throw new StoreFault('the store gave a grant that cannot be read here');
  const { terms: _, plan: __, ...shown } = permit;
  const { id, tool, isActive, givenAt, expiresAt, uses, mostUses, usedAt, revokedAt, revokedBy } = grant;
  const ended = revokedAt !== undefined ? 'revoked' : uses >= (mostUses ?? Number.POSITIVE_INFINITY) ? 'used_up' : 'expired';
  const state = isActive ? 'active' : ended;
  return withoutAbsent<Grant>({ ...shown, id, tool, state, uses, mostUses, usedAt, givenAt, expiresAt, revokedAt, revokedBy } as Grant);
}

/** Names whose calls a grant is for: always those of one user, and never those of a user where nobody is named. */
function scopeOf(whom: GrantRequest['for'], { userId, sessionId, runId }: Caller): string | undefined {
  const id = { run: runId, session: sessionId, user: userId }[whom];
  return id === undefined ? undefined : canonicalJson([whom, id, userId ?? null]);
}

function sayWhose(whom: GrantRequest['for'], { userId, sessionId, runId }: Caller): string {
  const of = userId === undefined ? '' : ` of ${userId}`;
  return { run: `, in the run ${runId}${of}`, session: `, in the session ${sessionId}${of}`, user: `, in all runs${of}` }[whom];
}

/** Reads what a grant permits; undefined where that is nothing that {@link toNewGrant} made. */
export function readPermit({ permit }: StoredGrant): StoredPermit | undefined {
  const { v, for: whom, input, words, terms } = permit as Partial<Record<string, unknown>>;
  const isSound = v === 1 && typeof whom === 'string' && isRecord(input) && typeof words === 'string' && typeof terms === 'string';
  return isSound ? (permit as unknown as StoredPermit) : undefined;
}
