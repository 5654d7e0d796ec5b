import type { ApprovalAsk, ApprovalRules } from '../contract/index.ts';
import { isRecord, takePromise } from '../json/index.ts';
import { fail, type ToolFailure } from '../outcome/index.ts';
import type { Approval } from './approval.ts';
import { callNotes } from './call-notes.ts';
import type { GuardedCall, GuardedTool } from './guarded-call.ts';

/** Reads what a tool declares about its approvals. */
export function approvalRules({ approval = false }: Pick<GuardedTool, 'approval'>): ApprovalRules<never> {
  return isRecord(approval) ? (approval as ApprovalRules<never>) : { ask: approval as ApprovalAsk<never> };
}

/** Returns what a person has to be asked about a call: by policies, and by its tool. A tool that fails to say so is asked about. */
export function approvalQuestions({ tool, input, notes }: Pick<GuardedCall, 'tool' | 'input' | 'notes'>): readonly string[] {
  const { ask = true } = approvalRules(tool);
  const asked = (notes.get(callNotes.questions) as readonly string[] | undefined) ?? [];
  const simple = `Allow ${tool.name}?`;
  try {
    const own: unknown = typeof ask === 'function' ? ask(input as never) : ask;
    // The tool must answer at once: a promise counts as a yes.
    takePromise(own);
    return own === false ? asked : [...asked, typeof own === 'string' ? own : simple];
  } catch {
    return [...asked, simple];
  }
}

/** Creates the failure of a call that was denied. The wording is the same for all: models repeat what looks like a fault. */
export function deniedFailure(
  tool: string,
  { by = 'the user', reason, handle }: { readonly [K in 'by' | 'reason' | 'handle']?: string | undefined },
): ToolFailure {
  const because = reason === undefined || reason.trim() === '' ? '' : ` Reason given: ${toSentence(reason)}`;
  return fail('denied', `${tool} was denied by ${by} and did not run.${because} This is a decision, not a fault.`, {
    effect: 'none',
    details: { by, ...(reason !== undefined && { reason }), ...(handle !== undefined && { handle }) },
  });
}

/** Creates the failure of a call that no person decided about in time. */
export function expiredFailure({ tool, handle }: Pick<Approval, 'tool' | 'handle'>): ToolFailure {
  const message = `${tool} was not decided about in time, so it did not run.`;
  return fail('denied', message, { effect: 'none', code: 'approval_expired', details: { handle } });
}

/** Creates the failure of a call that was cancelled while it waited for an approval. */
export function withdrawnFailure({ tool, handle }: Pick<Approval, 'tool' | 'handle'>): ToolFailure {
  return fail('cancelled', `${tool} was cancelled before it was approved, and did not run.`, { effect: 'none', details: { handle } });
}

function toSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
