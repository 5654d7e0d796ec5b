import type { CallContext } from '../../contract/index.ts';
import { canonicalJson } from '../../json/index.ts';
import { type JsonObject, type JsonValue, type Outcome, type Pending, withoutAbsent } from '../../outcome/index.ts';
import {
  type Approval,
  approvalRules,
  callNotes,
  type GuardedCall,
  type NewQuestion,
  type StoredCall,
  type StoredQuestion,
} from '../../ports/index.ts';
import { sayHidden, showArguments } from '../../runtime/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { argumentsOf, type Fingerprints } from '../store/fingerprint.ts';
import { toChanges } from './edited-input.ts';

/** A question to a person about a call that has not run. */
export interface ApprovalRequest {
  readonly question: string;
  /** The arguments as they are shown. */
  readonly input: JsonValue;
  readonly redactions: number;
  readonly cuts: number;
  /** Who may decide, and what an equal call gets where nobody did. */
  readonly rules: ApprovalRequestRules;
  readonly expiresMs: number;
  /** Tells this request from all that ask for something else, or show it otherwise. */
  readonly print: string;
  /** Tells what is asked of all calls of this tool from what was asked before its contract, its rules or a policy changed. */
  readonly terms: string;
  /** The preview of the tool and its fingerprint, if the tool has one. */
  readonly preview?: JsonValue;
  readonly plan?: string;
}

/** Who may decide about a request, and what an equal call gets where nobody did. */
interface ApprovalRequestRules {
  readonly roles?: readonly string[];
  readonly fourEyes?: boolean;
  readonly onExpiry?: 'deny';
  readonly grants?: false;
}

/** The stored form of a request. */
export interface StoredRequest
  extends Omit<ApprovalRequest, 'rules' | 'expiresMs'>,
    ApprovalRequestRules,
    Partial<Record<'userId' | 'callId' | 'sessionId' | 'runId', string>> {
  readonly v: 1;
  readonly invocationId: string;
  /** The text that the model read of the waiting call. */
  readonly modelText: string;
}

/** The stored form of a decision. */
export interface StoredDecision {
  readonly by?: string;
  readonly reason?: string;
  /** The arguments with which the call runs, where the person changed some. */
  readonly input?: JsonObject;
  /** The standing grant that was given with it. */
  readonly grant?: string;
  /** The preview for these arguments. */
  readonly preview?: JsonValue;
  readonly plan?: string;
}

/** A tool's plan: as shown, and the fingerprint of all of it. */
export interface ShownPlan {
  readonly preview: JsonValue;
  readonly plan: string;
}

/** Shows what a tool would do, without secrets. */
export function showPlan(
  data: JsonValue,
  prints: Fingerprints,
  redactors: Parameters<typeof showArguments>[1],
  maxCharacters: number,
): ShownPlan {
  return { preview: showArguments(data, redactors, maxCharacters).input, plan: prints.of(['plan', data]) };
}

/** Returns the fingerprint of the plan that was approved. */
export function approvedPlan({ ask, answer }: StoredQuestion): string | undefined {
  return (answer as StoredDecision | undefined)?.plan ?? (ask as unknown as StoredRequest).plan;
}

/** Combines the questions of the tool and of policies into one request. */
export function toApprovalRequest(
  registry: CallRegistry,
  call: GuardedCall,
  questions: readonly string[],
  prints: Fingerprints,
  shownPlan: ShownPlan | undefined,
): ApprovalRequest {
  const { maxShownCharacters, scope = ownScope } = registry.approvals;
  const shown = showArguments(call.input, call, maxShownCharacters);
  const question = sayHidden(call.redactText(questions.join(' '), true), shown);
  const { by, fourEyes, onExpiry, grants, expiresMs = registry.approvals.expiresMs } = approvalRules(call.tool);
  const rules = {
    ...(by !== undefined && { roles: by }),
    ...(fourEyes === true && { fourEyes }),
    ...(onExpiry === 'deny' && { onExpiry }),
    ...(grants === false && { grants }),
  };
  const declaredRules = Object.keys(rules).length > 0 ? [rules] : [];
  const print = prints.of([
    call.tool.name,
    argumentsOf(call),
    call.tool.schemas().input,
    scope(call.context),
    shown,
    question,
    ...declaredRules,
  ]);
  const policies = (call.notes.get(callNotes.questions) as readonly string[] | undefined) ?? [];
  // The question of the tool may differ from call to call; a policy that asks something else asks about something else.
  const terms = prints.of(['terms', call.tool.name, call.tool.schemas().input, rules, questions.length > policies.length, policies]);
  return { question, ...shown, rules, expiresMs, print, terms, ...shownPlan };
}

/** Creates the question that is stored with a call. The first one of a call has its handle. `modelText` is what is read of the call meanwhile. */
export function toApprovalQuestion(call: GuardedCall, id: string, request: ApprovalRequest, modelText: string): NewQuestion {
  const { userId, callId, sessionId, runId } = call.context;
  const { rules, expiresMs, ...asked } = request;
  const ask: StoredRequest = withoutAbsent({
    v: 1,
    ...asked,
    ...rules,
    invocationId: call.invocationId,
    userId,
    callId,
    sessionId,
    runId,
    modelText,
  } as StoredRequest);
  return { handle: id, kind: 'approval', id: 'approval', ask: ask as unknown as JsonObject, expiresMs };
}

/** Finds the approval that a call waits for, or that lets it run. */
export function approvalOf({ questions }: Pick<StoredCall, 'questions'>): StoredQuestion | undefined {
  return questions.findLast(({ kind }) => kind === 'approval');
}

/** Returns for how long an equal call is denied, where nobody decided in time. */
export function deniedForMs({ ask, askedAt, expiresAt = askedAt }: StoredQuestion): number {
  return (ask as ApprovalRequestRules).onExpiry === 'deny' ? Math.max(0, expiresAt - askedAt) : 0;
}

/** Checks whether an approval can be given or used no more. */
export function isExpired({ expiresAt }: Pick<StoredQuestion, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Checks whether a stored question asks what this request asks. */
export function asksTheSame({ ask }: StoredQuestion, { print }: ApprovalRequest): boolean {
  return (ask as unknown as Partial<StoredRequest>).print === print;
}

/** Says how a call waits for its approval. */
export function toPendingApproval(handle: string, question: string, expiresAt: number | undefined): Pending {
  return {
    handle,
    reason: 'approval',
    ask: { message: question },
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** Answers a call that waits for its approval. */
export function suspended(registry: CallRegistry, call: GuardedCall, pending: Pending, isRerun: boolean): Outcome {
  const how = registry.approvals.howToApprove?.({ handle: pending.handle, tenantId: call.tenantId });
  const [has, again] = isRerun ? ['has not run again', 'ask for the rerun again'] : ['has not run', 'make the same call again'];
  const user = how === undefined ? 'Tell the user' : `Tell the user: only the user may approve it, ${how}`;
  const message = `${call.tool.name} is waiting for approval and ${has}. ${pending.ask?.message ?? ''} ${user}; ${again} once it is approved.`;
  return call.pending(pending, message);
}

/** Shows a stored question as people and programs see an approval. `call` says whether an approval was used. */
export function toApproval(question: StoredQuestion, call: Pick<StoredCall, 'stage' | 'readAt' | 'id'>): Approval {
  const { state, askedAt, expiresAt = Number.MAX_SAFE_INTEGER, decidedAt, tool } = question;
  const {
    question: text,
    input,
    redactions,
    cuts,
    invocationId,
    userId,
    callId,
    sessionId,
    runId,
    roles,
    fourEyes,
    onExpiry,
    grants,
    preview,
  } = question.ask as unknown as StoredRequest;
  const { by, reason, input: edited, grant, preview: newPreview } = (question.answer ?? {}) as StoredDecision;
  return withoutAbsent<Approval>({
    v: 1,
    handle: question.handle,
    tool,
    input,
    redactions,
    cuts,
    question: text,
    preview: newPreview ?? preview,
    roles,
    fourEyes,
    onExpiry,
    grants,
    edited,
    changes: edited === undefined ? undefined : toChanges(input, edited),
    state: stateOf(state, call, isExpired(question, call.readAt)),
    requestedAt: askedAt,
    expiresAt,
    decidedAt,
    by,
    reason,
    grant,
    usedBy: state === 'approved' && call.stage !== 'waiting' ? call.id : undefined,
    invocationId,
    userId,
    callId,
    sessionId,
    runId,
  } as Approval);
}

function stateOf(state: StoredQuestion['state'], { stage }: Pick<StoredCall, 'stage'>, isOver: boolean): Approval['state'] {
  if (state === 'denied') return 'denied';
  if (state === 'approved') return stage === 'waiting' ? (isOver ? 'expired' : 'approved') : 'used';
  return state === 'open' && !isOver ? 'waiting' : 'expired';
}

function ownScope({ userId, sessionId, conversationId, runId }: CallContext): string {
  const conversation = sessionId ?? conversationId ?? runId ?? '';
  return userId === undefined ? conversation : canonicalJson([userId, conversation]);
}
