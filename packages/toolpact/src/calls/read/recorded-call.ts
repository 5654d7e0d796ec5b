import { toModelText, withoutAbsent } from '../../outcome/index.ts';
import type { CallTrace, CallWait, ListedCall, RecordedCall, StoredCall, StoredQuestion } from '../../ports/index.ts';
import { approvalOf, isExpired, toApproval } from '../approvals/approval-question.ts';
import type { CallTraces } from '../run/call-trace.ts';
import { readProgress } from '../run/keep-progress.ts';
import { readStart } from '../run/stored-start.ts';
import { pendingOf } from './await-call.ts';

/** Shows a stored call in a list. */
export function toListed(call: Pick<StoredCall, 'listed' | 'isDead' | 'stage' | 'progress'>): ListedCall {
  if (call.stage !== 'running') return call.listed;
  const progress = readProgress(call.progress);
  // One that goes on after it had waited runs again.
  const { endedAt: _, handle: __, message: ___, tookMs: ____, waitsFor: _____, ...listed } = call.listed;
  return { ...listed, status: 'running', ...(call.isDead && { lost: true }), ...(progress && { progress }) };
}

/** Shows all that is known of a stored call. */
export function toRecorded(call: StoredCall, traces: CallTraces): RecordedCall {
  const start = readStart(call);
  const { stage, outcome, tenant, id, handle, questions, keptUntil, cancelledBy, isCancelled, grant } = call;
  const trace = stage === 'running' ? traces.soFar(tenant, id) : (call.trace as CallTrace | undefined);
  const approval = approvalOf(call);
  const input = start?.event.input ?? null;
  const openQuestions = questions
    .filter(({ kind, state }) => kind === 'input' && state === 'open')
    .map(({ handle: of, ask: { modelText: _, ...ask } }) => ({ handle: of, ask: ask as never }));
  return withoutAbsent<RecordedCall>({
    ...toListed(call),
    handle,
    input,
    isWhole: start?.isWhole === true,
    outcome: stage === 'running' ? undefined : outcome,
    modelText: stage === 'running' || outcome === undefined ? undefined : toModelText(outcome),
    trace,
    pending: stage === 'ended' ? undefined : pendingOf(call),
    approval: approval === undefined ? undefined : toApproval(approval, call),
    grant,
    questions: openQuestions.length === 0 ? undefined : openQuestions,
    waits: questions.length === 0 ? undefined : questions.map((question) => toCallWait(question, call)),
    isCancelled: isCancelled || undefined,
    cancelledBy,
    expiresAt: new Date(keptUntil).toISOString(),
  } as unknown as RecordedCall);
}

/** Shows a question of a call, with what became of it. */
function toCallWait(question: StoredQuestion, call: StoredCall): CallWait {
  const { handle, kind, state, askedAt, expiresAt, decidedAt, ask } = question;
  const { message, question: approvalText, modelText } = ask as Partial<Record<string, string>>;
  const { by, reason, shown, refusal } = (question.answer ?? {}) as StoredAnswer;
  const approval = kind === 'approval' ? toApproval(question, call) : undefined;
  return withoutAbsent<CallWait>({
    handle,
    kind,
    message: message ?? approvalText ?? '',
    state: state === 'open' && isExpired(question, call.readAt) ? 'expired' : refusal === undefined ? state : 'denied',
    askedAt: toIso(askedAt),
    expiresAt: toIso(expiresAt),
    decidedAt: toIso(decidedAt),
    by,
    reason: reason ?? refusal?.error?.message,
    changes: approval?.changes,
    answer: shown,
    modelText,
  } as CallWait);
}

/** The stored form of an answer: a decision, or an input for the tool. */
interface StoredAnswer {
  readonly by?: string;
  readonly reason?: string;
  readonly shown?: string;
  readonly refusal?: { readonly error?: { readonly message?: string } };
}

function toIso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
