import type { CallContext } from '../../contract/index.ts';
import { canonicalJson } from '../../json/index.ts';
import { type JsonObject, type JsonValue, type Outcome, type Pending, withoutAbsent } from '../../outcome/index.ts';
import type { Approval, GuardedCall, NewQuestion, StoredCall, StoredQuestion } from '../../ports/index.ts';
import { sayHidden, showArguments } from '../../runtime/index.ts';
import { argumentsOf, type Fingerprints } from '../store-access/fingerprint.ts';
import type { CallRegistry } from './call-registry.ts';

/** What a person has to be asked about a call before it runs. */
export interface ApprovalRequest {
  readonly question: string;
  /** The arguments as they are shown. */
  readonly input: JsonValue;
  readonly redactions: number;
  readonly cuts: number;
  /** Tells this request from all that ask for something else, or show it otherwise. */
  readonly print: string;
}

/** What is stored of a request. */
interface StoredRequest extends ApprovalRequest, Partial<Record<'userId' | 'callId' | 'sessionId' | 'runId', string>> {
  readonly v: 1;
  readonly invocationId: string;
}

/** Makes what a person is asked about a call out of the questions of its tool and of policies. */
export function toApprovalRequest(
  registry: CallRegistry,
  call: GuardedCall,
  questions: readonly string[],
  prints: Fingerprints,
): ApprovalRequest {
  const { maxShownCharacters, scope = ownScope } = registry.approvals;
  const shown = showArguments(call.input, call, maxShownCharacters);
  const question = sayHidden(call.redactText(questions.join(' '), true), shown);
  const print = prints.of([call.tool.name, argumentsOf(call), call.tool.schemas().input, scope(call.context), shown, question]);
  return { question, ...shown, print };
}

/** Makes the question that is stored with a call. The first one of a call has its handle. */
export function toApprovalQuestion(registry: CallRegistry, call: GuardedCall, id: string, request: ApprovalRequest): NewQuestion {
  const { userId, callId, sessionId, runId } = call.context;
  const ask: StoredRequest = withoutAbsent({
    v: 1,
    ...request,
    invocationId: call.invocationId,
    userId,
    callId,
    sessionId,
    runId,
  } as StoredRequest);
  return { handle: id, kind: 'approval', id: 'approval', ask: ask as unknown as JsonObject, expiresMs: registry.approvals.expiresMs };
}

/** Finds the approval that a call waits for, or that lets it run. */
export function approvalOf({ questions }: Pick<StoredCall, 'questions'>): StoredQuestion | undefined {
  return questions.findLast(({ kind }) => kind === 'approval');
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
  const message = `${call.tool.name} waits for an approval and ${has}. ${pending.ask?.message ?? ''} ${user}; ${again} once it is approved.`;
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
  } = question.ask as unknown as StoredRequest;
  const { by, reason } = (question.answer ?? {}) as { readonly by?: string; readonly reason?: string };
  return withoutAbsent<Approval>({
    v: 1,
    handle: question.handle,
    tool,
    input,
    redactions,
    cuts,
    question: text,
    state: stateOf(state, call, isExpired(question, call.readAt)),
    requestedAt: askedAt,
    expiresAt,
    decidedAt,
    by,
    reason,
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
