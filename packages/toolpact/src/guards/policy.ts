import type { CallContext, Effects } from '../contract/index.ts';
import { type Outcome, refuseOptions, ToolpactError } from '../outcome/index.ts';
import { callNotes, deniedFailure, type Guard, refuseWith } from '../ports/index.ts';
import { defineGuard } from '../runtime/index.ts';

/** A policy's verdict on a call. */
export type Verdict = 'allow' | { readonly deny: string } | { readonly ask: string };

/** A call as a policy sees it: its checked input, and its context with the caller's credentials. */
export interface PolicyCall {
  readonly tool: { readonly name: string; readonly effects: Effects };
  readonly input: unknown;
  readonly tenantId: string;
  readonly context: CallContext;
}

/** Decides about calls. One that throws, or says anything else than a verdict, denies. */
export type Policy = (call: PolicyCall) => Verdict | Promise<Verdict>;

/** Allows a call, as far as this policy is concerned. */
export const allow: Verdict = 'allow';

/** Keeps a call from running; the model reads the reason. */
export const deny = (reason: string): Verdict => ({ deny: reason });

/** Makes a call wait for the approval of a person, who reads the question. Needs a toolbox with a `store`. */
export const ask = (question: string): Verdict => ({ ask: question });

/**
 * Asks all policies about each call before it runs: all must allow it. One that denies keeps it from running, and so does one that fails;
 * one that asks makes it wait for an approval.
 */
export function policy(options: { readonly policies: readonly Policy[] }): Guard {
  refuseOptions<{ readonly policies: readonly Policy[] }>('policy', options, { policies: true });
  const { policies } = options ?? {};
  if (!Array.isArray(policies) || !policies.every((one) => typeof one === 'function')) {
    throw new ToolpactError('invalid_option', 'policy needs `policies`, an array of functions');
  }
  return defineGuard({
    name: 'policy',
    phase: 'policy',
    async around(call, next) {
      const { tool, input, tenantId, context } = call;
      const seen: PolicyCall = { tool: { name: tool.name, effects: tool.effects }, input, tenantId, context };
      const verdicts = await Promise.all(policies.map((one) => judge(one, seen)));
      const denied = verdicts.find((verdict) => typeof verdict === 'object' && 'deny' in verdict);
      const refuse = (reason: string): Outcome => refuseWith(call, deniedFailure(tool.name, { by: 'a policy', reason }));
      if (denied !== undefined) return refuse((denied as { deny: string }).deny);
      const questions = verdicts.flatMap((verdict) => (typeof verdict === 'object' && 'ask' in verdict ? [verdict.ask] : []));
      if (questions.length === 0) return next();
      if (!call.provides('approval')) return refuse('it needs an approval, and this toolbox has no approvals guard');
      call.notes.set(callNotes.questions, questions);
      return next();
    },
  });
}

async function judge(one: Policy, call: PolicyCall): Promise<Verdict> {
  try {
    const verdict: unknown = await one(call);
    if (verdict === 'allow') return verdict;
    const { deny: reason, ask: question } = (verdict ?? {}) as { readonly deny?: unknown; readonly ask?: unknown };
    if (typeof reason === 'string') return { deny: reason };
    if (typeof question === 'string') return { ask: question };
  } catch {
    // Reported below, like anything else that is not a verdict.
  }
  return { deny: 'a policy could not decide' };
}
