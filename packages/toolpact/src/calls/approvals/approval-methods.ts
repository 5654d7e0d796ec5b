import { type CallContext, noTenant } from '../../contract/index.ts';
import { canonicalJson, isRecord } from '../../json/index.ts';
import { type Issue, type JsonObject, type JsonValue, refuseOptions, ToolpactError, withoutAbsent } from '../../outcome/index.ts';
import {
  type Approval,
  type ApprovalPageRequest,
  deniedFailure,
  type Grant,
  type GrantPageRequest,
  type GrantRequest,
  type GuardedToolbox,
  type StoredCall,
  type StoredQuestion,
} from '../../ports/index.ts';
import { approvalEvent, decisionEvents } from '../../runtime/index.ts';
import { systemClock } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { toCallEnd } from '../run/answers.ts';
import { readStart } from '../run/stored-start.ts';
import { askStore, demandOf } from '../store/ask-store.ts';
import { loadFingerprints } from '../store/fingerprint.ts';
import { approvalOf, type StoredRequest, showPlan, toApproval } from './approval-question.ts';
import { checkEdit, toChanges } from './edited-input.ts';
import { readPermit, toGrant, toNewGrant } from './grants.ts';

/** Who decides, why, and what is changed. */
export interface DecisionFacts {
  /** Names who decides. */
  readonly by?: string;
  /** The roles that this person has, where the tool says which may decide. */
  readonly roles?: readonly string[];
  readonly reason?: string;
  /** All of the arguments with which the call runs, where the person changed some. */
  readonly input?: JsonObject;
  /** Also allows further calls like this one without asking. Not together with `input`. */
  readonly grant?: GrantRequest;
}

/** The result of a decision. */
export type Decided =
  | { readonly ok: true; readonly approval: Approval; readonly grant?: Grant }
  | {
      readonly ok: false;
      /** `forbidden`: not by this person; `invalid`: not with these arguments. Both leave the question open. */
      readonly why: 'unknown' | 'decided' | 'expired' | 'forbidden' | 'invalid';
      /** Who may decide, where this person may not. */
      readonly message?: string;
      /** Validation issues of the changed arguments. */
      readonly issues?: readonly Issue[];
      readonly approval?: Approval;
    };

/** Finds and answers the questions whether calls may run. */
export interface ApprovalMethods {
  /** Decides about a waiting call, once: only the first decision counts. Rejects when the store does not answer, and for anything but these two decisions. */
  readonly decide: (handle: string, verdict: 'approve' | 'deny', facts?: DecisionFacts) => Promise<Decided>;
  /**
   * Decides about several waiting calls, one after the other, each like `decide`. Name the handles that the person was shown: what was asked
   * meanwhile is not among them.
   */
  readonly decideAll: (
    handles: readonly string[],
    verdict: 'approve' | 'deny',
    facts?: Omit<DecisionFacts, 'input' | 'grant'>,
  ) => Promise<readonly { readonly handle: string; readonly decided: Decided }[]>;
  /** Finds a request for approval, decided or not. Undefined when there is none; rejects when the store does not answer. */
  readonly get: (handle: string) => Promise<Approval | undefined>;
  /** Lists the calls that wait for a decision, oldest first. `after` is the handle of the last one on the page before. @default limit: all */
  readonly list: (page?: ApprovalPageRequest) => Promise<readonly Approval[]>;
  /** The standing grants that were given with approvals. */
  readonly grants: GrantMethods;
}

/** Finds and revokes standing grants. These reject when the store does not answer. */
export interface GrantMethods {
  /** Lists those that count, in the order in which they were given. */
  readonly list: (page?: GrantPageRequest) => Promise<readonly Grant[]>;
  /** Ends a grant: from now on no call begins under it. Gives the grant, also one that counted no more; undefined where there is none. */
  readonly revoke: (id: string, facts?: { readonly by?: string }) => Promise<Grant | undefined>;
}

interface FoundApproval {
  readonly call: StoredCall;
  readonly question: StoredQuestion;
  readonly approval: Approval;
}

const demand = demandOf('The approvals');
const pageSize = 100;
/** How often a decision is tried again while its call changes. */
const maxTries = 20;

/** Creates what finds and answers the questions of the tenant that a toolbox is bound to. */
export function createApprovalMethods(registry: CallRegistry): (toolbox: GuardedToolbox) => ApprovalMethods {
  const { ledger, store, approvals } = registry;
  return (toolbox) => {
    const tenant = toolbox.context.tenantId ?? noTenant;
    const maxShown = approvals.maxShownCharacters;

    async function findApproval(handle: string): Promise<FoundApproval | undefined> {
      const call = await demand(() => ledger.get(tenant, String(handle)));
      const question = call && (call.questions.find((one) => one.kind === 'approval' && one.handle === handle) ?? approvalOf(call));
      return call === undefined || question === undefined ? undefined : { call, question, approval: toApproval(question, call) };
    }

    async function decide(handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts): Promise<Decided | 'changed'> {
      const existing = await findApproval(handle);
      if (existing === undefined) return { ok: false, why: 'unknown' };
      const { call, question, approval } = existing;
      if (approval.state !== 'waiting') return { ok: false, why: approval.state === 'expired' ? 'expired' : 'decided', approval };
      const message = whyForbidden(approval, verdict, facts);
      if (message !== undefined) return { ok: false, why: 'forbidden', message, approval };
      const edit = facts.input === undefined ? undefined : await checkEdit(toolbox, approval, facts.input, askedBy(call), maxShown);
      if (edit !== undefined && 'issues' in edit) return { ok: false, why: 'invalid', issues: edit.issues, approval };
      const isEdited = edit !== undefined && toChanges(approval.input, edit.input).length > 0;
      const shown = isEdited ? await showEdited(approval.tool, edit.input, askedBy(call)) : undefined;
      if (shown !== undefined && 'issues' in shown) return { ok: false, why: 'invalid', issues: shown.issues, approval };
      const { by, reason } = facts;
      const giver = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
      const storedRequest = question.ask as unknown as StoredRequest;
      const granted = facts.grant === undefined ? undefined : toNewGrant(registry, approval, storedRequest, facts.grant, giver);
      if (granted !== undefined && 'issues' in granted) return { ok: false, why: 'invalid', issues: granted.issues, approval };
      const answer = { ...giver, ...(isEdited && edit), ...shown, ...(granted && { grant: granted.grant.id }) };
      const state = verdict === 'approve' ? 'approved' : 'denied';
      const end = state === 'approved' ? undefined : await deniedEnd(call, { ...approval, ...answer });
      const place = { tenant, handle: approval.handle };
      const answered = await demand(() =>
        ledger.answer(place, { state, answer, wakes: false, ...(end !== undefined && { end }), ...granted }),
      );
      if (answered.is === 'changed') return 'changed';
      if (answered.is === 'unknown') return { ok: false, why: 'unknown' };
      if (answered.is === 'expired') {
        const expired = toApproval(answered.question, { ...call, readAt: Number.MAX_SAFE_INTEGER });
        toolbox.emit(approvalEvent('approval-expired', expired));
        return { ok: false, why: 'expired', approval: expired };
      }
      const decided = toApproval(answered.question, { ...call, ...('call' in answered && { stage: answered.call.stage }) });
      if (answered.is === 'decided') return { ok: false, why: 'decided', approval: decided };
      toolbox.emit(approvalEvent(decisionEvents[state], decided));
      if (granted === undefined) return { ok: true, approval: decided };
      const { id, expiresMs, keepMs: _, ...given } = granted.grant;
      const givenAt = decided.decidedAt ?? call.readAt;
      return {
        ok: true,
        approval: decided,
        grant: toGrant({ ...given, id, tenant, isActive: true, givenAt, expiresAt: givenAt + expiresMs, uses: 0 }),
      };
    }

    /** Works out what a call would do with changed arguments: it runs only if that is still so then. */
    async function showEdited(tool: string, input: JsonObject, context: CallContext) {
      const outcome = await toolbox.preview(tool, input, context);
      if (outcome === undefined) return undefined;
      if (outcome.status === 'error') return { issues: [{ path: [], problem: 'rule' as const, message: outcome.error.message }] };
      const prints = await demand(async () => {
        const loaded = await loadFingerprints(store, askStore);
        if (!loaded.ok) throw new Error(loaded.why);
        return loaded.value;
      });
      const data = 'data' in outcome ? (outcome.data as JsonValue) : null;
      return showPlan(data, prints, { redact: toolbox.redactValue, redactText: toolbox.redact }, maxShown);
    }

    /** Returns those who wait for the call its end: it will not run. An equal call reads the same, for as long as it could have been approved. */
    async function deniedEnd(call: StoredCall, approval: Approval) {
      const outcome = await toolbox.toOutcome(call.tool, {}, deniedFailure(call.tool, approval), {
        tenantId: tenant,
        invocationId: call.id,
      });
      const keyCountsMs = Math.max(0, approval.expiresAt - call.readAt);
      return { epoch: call.epoch, ...toCallEnd(call.listed, outcome, { keepsSteps: true, keyCountsMs }) };
    }

    async function decideOnce(handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts): Promise<Decided> {
      const shown = facts.reason === undefined ? facts : { ...facts, reason: toolbox.redact(String(facts.reason)) };
      for (let tries = 0; tries < maxTries; tries += 1) {
        const decided = await decide(handle, verdict, shown);
        if (decided !== 'changed') return decided;
      }
      throw new Error(`The approvals cannot be read: the store "${store.name}" changed the call ${maxTries} times meanwhile.`);
    }

    return {
      async decideAll(handles, verdict, facts = {}) {
        refuseOptions<DecisionFacts>('approvals.decideAll', facts, { by: true, roles: 'an array', reason: true } as never);
        assertVerdict(verdict);
        if (!Array.isArray(handles)) throw new ToolpactError('invalid_argument', 'approvals.decideAll takes an array of handles');
        const all = [];
        for (const handle of new Set(handles as readonly string[])) all.push({ handle, decided: await decideOnce(handle, verdict, facts) });
        return all;
      },
      async decide(handle, verdict, facts = {}) {
        refuseOptions<DecisionFacts>('approvals.decide', facts, {
          by: true,
          roles: 'an array',
          reason: true,
          input: 'an object',
          grant: 'an object',
        });
        assertVerdict(verdict);
        if (facts.input !== undefined && verdict !== 'approve')
          throw new ToolpactError('invalid_argument', 'only an approval can change the arguments');
        if (facts.grant !== undefined && (verdict !== 'approve' || facts.input !== undefined))
          throw new ToolpactError('invalid_argument', 'a grant is given with an approval that changes nothing');
        return decideOnce(handle, verdict, facts);
      },
      get: async (handle) => (await findApproval(handle))?.approval,
      async list(page = {}) {
        refuseOptions<ApprovalPageRequest>('approvals.list', page, {
          limit: true,
          after: true,
          tool: true,
          runId: true,
          sessionId: true,
          like: true,
        });
        const { limit = Number.POSITIVE_INFINITY, after, tool, runId, sessionId, like } = page;
        const model = like === undefined ? undefined : (await findApproval(like))?.approval;
        if (like !== undefined && model === undefined) return [];
        const isWanted = (approval: Approval): boolean =>
          (tool === undefined || approval.tool === tool) &&
          (runId === undefined || approval.runId === runId) &&
          (sessionId === undefined || approval.sessionId === sessionId) &&
          (model === undefined || isLike(approval, model));
        const matches: Approval[] = [];
        for (let last = after; matches.length < limit; ) {
          const openQuestions = await demand(() =>
            ledger.questions({ tenant, kind: 'approval', limit: pageSize, ...(last !== undefined && { after: last }) }),
          );
          const now = systemClock.now();
          matches.push(
            ...openQuestions
              .map((question) => toApproval(question, { id: question.call, stage: 'waiting', readAt: Math.min(now, question.askedAt) }))
              .filter(isWanted),
          );
          last = openQuestions.at(-1)?.handle;
          if (openQuestions.length < pageSize || last === undefined) break;
        }
        return matches.slice(0, limit);
      },
      grants: {
        async list(page = {}) {
          refuseOptions<GrantPageRequest>('approvals.grants.list', page, { all: 'a boolean', tool: true, limit: true, after: true });
          const { all = false, tool, limit = Number.POSITIVE_INFINITY, after } = page;
          const grants: Grant[] = [];
          for (let last = after; grants.length < limit; ) {
            const query = { tenant, onlyActive: !all, limit: pageSize, ...(tool !== undefined && { tool }) };
            const rows = await demand(() => ledger.grants({ ...query, ...(last !== undefined && { after: last }) }));
            grants.push(...rows.flatMap((row) => (readPermit(row) === undefined ? [] : toGrant(row))));
            last = rows.at(-1)?.id;
            if (rows.length < pageSize || last === undefined) break;
          }
          return grants.slice(0, limit);
        },
        async revoke(id, facts = {}) {
          refuseOptions<{ readonly by?: string }>('approvals.grants.revoke', facts, { by: true });
          const revoked = await demand(() => ledger.revoke({ tenant, id: String(id) }, facts));
          return revoked.is === 'unknown' ? undefined : toGrant(revoked.grant);
        },
      },
    };
  };
}

/** Anything else would count as a denial that cannot be undone. */
function assertVerdict(verdict: unknown): void {
  if (verdict !== 'approve' && verdict !== 'deny') throw new ToolpactError('invalid_argument', "a decision is 'approve' or 'deny'");
}

/** Checks whether two approvals ask for the same, but for the values of the arguments. */
function isLike(one: Approval, other: Approval): boolean {
  const looks = ({ tool, userId, sessionId, runId, input, roles, fourEyes, preview }: Approval): string =>
    canonicalJson([
      tool,
      userId,
      sessionId,
      runId,
      isRecord(input) ? Object.keys(input).sort() : null,
      roles,
      fourEyes,
      preview !== undefined,
    ]);
  return looks(one) === looks(other);
}

/** Says why a person may not decide so; undefined where they may. */
function whyForbidden(
  { tool, roles, fourEyes = false, userId }: Approval,
  verdict: 'approve' | 'deny',
  { by, roles: deciderRoles = [] }: DecisionFacts,
): string | undefined {
  if (roles !== undefined && !roles.some((role) => deciderRoles.includes(role)))
    return `Only ${roles.join(' or ')} may decide about ${tool}.`;
  if (!fourEyes || verdict === 'deny') return undefined;
  if (typeof by !== 'string' || by.trim() === '') return `${tool} needs four eyes: say who approves it.`;
  return by.trim() === userId?.trim() ? `${tool} needs four eyes: somebody other than ${by} has to approve it.` : undefined;
}

/** Returns the context in which a call was asked about, as far as it is stored. */
function askedBy(call: StoredCall): CallContext {
  const { userId, callId, sessionId, runId, conversationId, agentName } = readStart(call)?.event ?? {};
  return withoutAbsent({ tenantId: call.tenant, userId, callId, sessionId, runId, conversationId, agentName } as CallContext);
}
