import type { Outcome, Pending, ToolpactError } from 'toolpact';
import type { GuardedToolbox } from 'toolpact/extend';
import type { ApprovalMethods } from 'toolpact/guards';
import { makeFailure, refuseOptions, sleep, systemClock } from 'toolpact/internal';
import { createApprovalMethods } from './approval-methods.ts';
import { callOf, questionIn } from './call-handle.ts';
import type { CallState } from './call-request.ts';
import { findQuestion, readAnswer } from './read-answer.ts';
import type { IngressAnswer, RestateIngress } from './restate-ingress.ts';

/** What Restate adds to a toolbox. */
export interface RestateMethods extends ApprovalMethods {
  /** Waits until a pending call has its outcome; answers `pending` again when the time is over. */
  readonly wait: (
    handle: string,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly untilSure?: boolean },
  ) => Promise<Outcome>;
  /**
   * Gives a call the answer to its first question, or to the one whose handle is given: a value, or a failure made by `fail`, which the tool gets. Only
   * the first answer that fits counts. Gives what the call answers then: that it runs.
   */
  readonly settle: (handle: string, answer: unknown) => Promise<Outcome>;
  /** Finds a pending call, with its outcome once it has one. */
  readonly findPending: (handle: string) => Promise<PendingState | undefined>;
  /** Stops a call, by its handle or, without a key, by its tool and invocation id (`tool.id`). Gives whether there was one that had not ended. */
  readonly cancel: (handle: string) => Promise<boolean>;
}

/** A call that was answered as pending. Times are epoch milliseconds. */
type PendingState = {
  readonly tool: string;
  readonly invocationId: string;
  /** The user who made it. */
  readonly userId?: string;
  readonly since: number;
  readonly pending: Pending;
  readonly outcome?: Outcome;
  /** What it asks in the middle of its tool and was not answered, each with a handle of its own for `settle`. */
  readonly questions?: readonly { readonly handle: string; readonly ask: NonNullable<Pending['ask']> }[];
};

/** Makes the methods of a toolbox whose calls run on Restate. */
export function createRestateMethods(
  ingress: RestateIngress,
  toolbox: Pick<GuardedToolbox, 'redact' | 'emit'>,
  tenant: string,
): RestateMethods {
  async function wait(handle: string, options: Parameters<RestateMethods['wait']>[1] = {}): Promise<Outcome> {
    try {
      // The engine knows what became of a call, so `untilSure` changes nothing here.
      refuseOptions('wait', options, { timeoutMs: true, signal: true, untilSure: true });
    } catch (mistake) {
      return answerOf('not_configured', (mistake as ToolpactError).message);
    }
    const { timeoutMs = 30_000, signal } = options;
    let found = await ingress.output(tenant, handle);
    if (found.is !== 'running') return toOutcome(handle, found);
    const late = new AbortController();
    const stop = systemClock.after(timeoutMs, () => late.abort());
    const over = AbortSignal.any([late.signal, ...(signal ? [signal] : [])]);
    while (timeoutMs > 0 && !over.aborted) {
      found = await ingress.attach(tenant, handle, over);
      // No request is answered as late as a call may end: it is asked again.
      if (found.is !== 'unreachable') break;
      await sleep(betweenAsksMs, over);
    }
    stop();
    if (found.is === 'ended') return found.result.outcome;
    const state = await ingress.look(tenant, handle);
    return state === undefined ? toOutcome(handle, found) : pendingOutcome(state, handle);
  }
  return {
    wait,
    async settle(handle, given) {
      const [state, output] = await Promise.all([ingress.look(tenant, handle), ingress.output(tenant, handle)]);
      if (output.is === 'ended') return output.result.outcome;
      if (state === undefined) return toOutcome(handle, output);
      if (state.pending?.reason === 'approval')
        return answerOf('forbidden', `${handle} waits for an approval, which only \`decide\` gives or denies.`);
      const question = findQuestion(state, handle);
      if (question === undefined) return answerOf('conflict', `${handle} does not ask for anything now.`);
      const { answer, problem } = readAnswer(question, given);
      if (problem !== undefined) return answerOf('invalid_input', `This does not answer ${handle}: ${problem}.`);
      const settled = await ingress.settle(tenant, handle, questionIn(question.handle) ?? '', answer);
      if (settled.is === 'taken') return answerOf('conflict', `${handle} does not ask for anything now.`);
      return settled.is === 'settled' ? pendingOutcome({ ...state, pending: running(callOf(handle)) }, handle) : toOutcome(handle, settled);
    },
    async findPending(handle) {
      const [state, output] = await Promise.all([ingress.look(tenant, handle), ingress.output(tenant, handle)]);
      if (state === undefined) return undefined;
      const { tool, invocationId, userId, since, pending = running(handle), questions } = state;
      const found = { tool, invocationId, ...(userId !== undefined && { userId }), since, pending };
      return output.is === 'ended' ? { ...found, outcome: output.result.outcome } : { ...found, ...(questions && { questions }) };
    },
    ...createApprovalMethods(ingress, toolbox, tenant),
    cancel: async (handle) => (await ingress.output(tenant, handle)).is === 'running' && ingress.stop(tenant, handle),
  };
}

const betweenAsksMs = 100;

function running(handle: string): Pending {
  return { handle, reason: 'running', pollAfterMs: 1000 };
}

function pendingOutcome({ tool, invocationId, pending }: CallState, handle: string): Outcome {
  return Object.freeze({
    status: 'pending',
    pending: pending ?? running(handle),
    meta: Object.freeze({ tool, invocationId, tookMs: 0.001, attempts: 0 }),
  });
}

function toOutcome(handle: string, found: IngressAnswer | { readonly is: 'settled' }): Outcome {
  if (found.is === 'ended') return found.result.outcome;
  if (found.is === 'unknown') return answerOf('not_found', `There is no pending call ${handle}.`);
  if (found.is === 'changed') return answerOf('conflict', `The tool of ${handle} has changed since the call began.`);
  return answerOf('not_ready', `The call ${handle} cannot be read now: Restate does not answer.`);
}

function answerOf(
  kind: 'conflict' | 'forbidden' | 'invalid_input' | 'not_configured' | 'not_found' | 'not_ready',
  message: string,
): Outcome {
  return Object.freeze({ status: 'error', error: makeFailure(kind, { message }), meta: Object.freeze({ tookMs: 0.001, attempts: 0 }) });
}
