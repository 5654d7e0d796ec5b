import { sha256Hex, toApproval } from '../calls/index.ts';
import { noTenant } from '../contract/index.ts';
import { canonicalJson } from '../json/index.ts';
import { type JsonObject, withoutAbsent } from '../outcome/index.ts';
import type { ApprovalNotice, AskedInput, InputNotice, Notice, StoredQuestion, TakenNotice } from '../ports/index.ts';

type What = 'requested' | 'decided' | 'expired' | 'withdrawn';

/** Hides secrets in what a tool asks. */
type Redact = (text: string) => string;

/** Shows a notice as its recipient gets it: whenever it is sent, it says what happened when it was written down, and nothing later. */
export function toNotice({ tenant, handle, event, question }: TakenNotice, redact: Redact): Notice {
  const what = event === 'asked' ? 'requested' : howClosed(question);
  const asItWas = what === 'requested' ? asAsked(question) : question;
  const at = { requested: question.askedAt, expired: question.expiresAt, decided: question.decidedAt, withdrawn: question.decidedAt }[what];
  const tenantId = tenant === noTenant ? undefined : tenant;
  const facts = {
    // Made of what names the question, so that whoever sends it, and however often, sends it under the same id.
    id: `notice_${sha256Hex(canonicalJson([tenant, handle, question.askedAt, event])).slice(0, 32)}`,
    timestamp: new Date(at ?? question.askedAt).toISOString(),
  };
  if (question.kind === 'input') {
    const data = toInput(asItWas, what, tenantId, redact);
    return { ...facts, type: what === 'decided' ? 'input.answered' : `input.${what}`, data };
  }
  const readAt = what === 'expired' ? Number.MAX_SAFE_INTEGER : question.askedAt;
  const approval = toApproval(asItWas, { id: question.call, stage: 'waiting', readAt });
  return {
    ...facts,
    type: `approval.${what}`,
    data: withoutAbsent<ApprovalNotice['data']>({ ...approval, tenantId } as ApprovalNotice['data']),
  };
}

function howClosed({ state }: StoredQuestion): What {
  if (state === 'open') return 'expired';
  return state === 'withdrawn' ? 'withdrawn' : 'decided';
}

function asAsked({ decidedAt: _, answer: __, ...asked }: StoredQuestion): StoredQuestion {
  return { ...asked, state: 'open' };
}

const states: Readonly<Record<What, AskedInput['state']>> = {
  requested: 'waiting',
  decided: 'answered',
  expired: 'expired',
  withdrawn: 'withdrawn',
};

function toInput(question: StoredQuestion, what: What, tenantId: string | undefined, redact: Redact): InputNotice['data'] {
  const { handle, tool, call, ask, askedAt, expiresAt, decidedAt, answer, listed } = question;
  const { message, schema } = ask as { readonly message?: unknown; readonly schema?: JsonObject };
  const { by } = (answer ?? {}) as { readonly by?: string };
  const { userId, sessionId, runId } = listed;
  return withoutAbsent<AskedInput>({
    handle,
    tool,
    call,
    question: typeof message === 'string' ? redact(message) : '',
    schema,
    state: states[what],
    requestedAt: askedAt,
    expiresAt,
    decidedAt,
    by,
    tenantId,
    userId,
    sessionId,
    runId,
  } as AskedInput);
}
