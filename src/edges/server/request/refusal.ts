import { contextFromHeaders } from '../../../core/contract/index.ts';
import { type FailureKind, makeFailure, type Outcome } from '../../../core/outcome/index.ts';
import type { Denied, RefuseOptions } from '../server-options.ts';
import { encodeOutcome } from './encode-outcome.ts';
import type { Answer, Asked } from './request-head.ts';
import { type FormName, selectForm, usualForms } from './response-format.ts';

/** Refuses a request before any call. */
export type Refuse = (asked: Asked, kind: FailureKind, message: string, options?: RefuseOptions) => Answer;

/** Makes what refuses requests; denials among them are told to the audit. Refusals look like the answers of their route. */
export function createRefuse(audit: (record: Denied) => void): Refuse {
  return (asked, kind, message, options = {}) => {
    const { status, headers, denied, identity, tool, meant = tool, ...facts } = options;
    const usual = usualFormOf(asked);
    const outcome = refusedOutcome(kind, { message, ...facts }, traceOf(asked), tool);
    const answer = encodeOutcome(outcome, selectForm(asked, usual) ?? usualForms[usual], headers);
    if (denied !== undefined) {
      const { tenantId, subject, keyId } = identity ?? {};
      const { method, path } = asked;
      const who = {
        ...(meant !== undefined && { tool: meant }),
        ...(tenantId !== undefined && { tenantId }),
        ...(subject !== undefined && { subject }),
        ...(keyId !== undefined && { keyId }),
      };
      audit({ at: Date.now(), reason: denied, message, method, path, traceId: outcome.meta.traceId ?? '', ...who });
    }
    return status === undefined ? answer : withStatus(answer, status);
  };
}

/** Gives the form of answers to requests that select none: outcomes for calls, the envelope of its origin for `execute`, problem details elsewhere. */
export function usualFormOf({ method, path }: Pick<Asked, 'method' | 'path'>): FormName {
  if (path === '/v1/execute' || /^\/(?:api\/)?v1\/(?:sessions?|lifecycle|worker)\b/.test(path)) return 'coded';
  return method === 'POST' && (path === '/v1/batch' || path.startsWith('/v1/tools/')) ? 'outcome' : 'problem';
}

/** Gives the trace id that a request brings, or a new one when what it brings cannot be used. */
export function traceOf(asked: Asked): string {
  const headers = Object.fromEntries(['x-trace-id', 'x-request-id', 'traceparent'].map((name) => [name, asked.header(name)]));
  const query = asked.search.includes('trace_id') ? new URLSearchParams(asked.search) : undefined;
  const read = contextFromHeaders(headers, { query });
  return read.issues === undefined ? read.value.trace_id : crypto.randomUUID().replaceAll('-', '');
}

function refusedOutcome(kind: FailureKind, facts: Parameters<typeof makeFailure>[1], traceId: string, tool: string | undefined): Outcome {
  const meta = Object.freeze({ ...(tool !== undefined && { tool }), traceId, tookMs: 0.001, attempts: 0 });
  return Object.freeze({ status: 'error', error: makeFailure(kind, { ...facts, effect: 'none' }), meta });
}

/** States another status, in the body too where the body has one. */
function withStatus({ headers, body }: Answer, status: number): Answer {
  const isProblem = headers['content-type'] === 'application/problem+json';
  return { status, headers, body: isProblem ? JSON.stringify({ ...(JSON.parse(body) as object), status }) : body };
}
