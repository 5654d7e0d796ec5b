import { hash } from 'node:crypto';
import { fail, type JsonValue } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import { approvalQuestions, approvalRules, callNotes, sayHidden, showArguments, withoutAbsent } from 'toolpact/internal';
import { type ApprovalRequest, type CallRequest, print, printArguments, toTravellingContext } from './call-request.ts';

/** Left of the caller's time for the way back. */
export const wayBackMs = 500;

/** Makes what is sent of a call. */
export function toRequest(call: GuardedCall, key: string | undefined, approvalMs: number): CallRequest {
  const { name } = call.tool;
  const timeoutMs = Math.max(1, Math.floor(call.remainingMs - Math.min(wayBackMs, call.remainingMs / 10)));
  const question = questionOf(call);
  const args = (call.received ?? {}) as JsonValue;
  return {
    v: 1,
    tool: name,
    args,
    context: { ...toTravellingContext(call), timeoutMs },
    fields: printArguments(call.input ?? args),
    since: Date.now(),
    ...(key !== undefined && { key: call.tool.idempotency?.key === undefined ? key : keyForTool(call, key) }),
    ...(question !== undefined && { approval: toApproval(call, question, approvalMs) }),
  };
}

/** The most characters of the arguments that are shown to the person who decides. */
const maxShownCharacters = 16_000;

/** Makes what a person is shown of a call. */
function toApproval(call: GuardedCall, question: string, approvalMs: number): ApprovalRequest {
  const { userId, callId, sessionId, runId } = call.context;
  const shown = showArguments(call.input, call, maxShownCharacters);
  const requestedAt = Date.now();
  return withoutAbsent<ApprovalRequest>({
    v: 1,
    hash: print([call.tool.name, call.input]),
    tool: call.tool.name,
    ...shown,
    question: sayHidden(call.redactText(question, true), shown),
    requestedAt,
    expiresAt: requestedAt + approvalMs,
    invocationId: call.invocationId,
    userId,
    callId,
    sessionId,
    runId,
  });
}

/** What a tool finds as its key: the same as on a store, so that a service knows the call again whatever it runs on. */
function keyForTool({ tenantId, tool }: GuardedCall, key: string): string {
  return hash('sha256', JSON.stringify(JSON.stringify([tenantId, JSON.stringify([tool.name, key])])), 'hex');
}

/** Checks whether a person has to be asked about a call before it runs. */
export function needsApproval(call: GuardedCall): boolean {
  return questionOf(call) !== undefined;
}

/** Gives what a person has to be asked on the engine; undefined where nothing, or where the `approvals` guard has asked before. */
function questionOf(call: GuardedCall): string | undefined {
  const questions = call.notes.has(callNotes.asksForApproval) ? [] : approvalQuestions(call);
  const { by, fourEyes = false } = approvalRules(call.tool);
  if (questions.length > 0 && (by !== undefined || fourEyes))
    throw fail('not_configured', `${call.tool.name} says who may approve it, which needs a toolbox with a store.`, { effect: 'none' });
  return questions.length === 0 ? undefined : questions.join(' ');
}
