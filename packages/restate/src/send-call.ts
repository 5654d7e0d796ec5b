import type { Outcome, Pending } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import { approvalEvent, callNotes, differingFields, keyOf, refuseReusedKey, sleep, systemClock, waitForResult } from 'toolpact/internal';
import { answerEnded } from './answer-ended.ts';
import { nthHandle } from './call-handle.ts';
import { type CallRequest, type CallResult, print } from './call-request.ts';
import { type Earlier, prepareRerun, rerunOf } from './rerun-call.ts';
import type { IngressAnswer, RestateIngress } from './restate-ingress.ts';
import { needsApproval, toRequest, wayBackMs } from './to-request.ts';

/** A call under one of the names that its key has had so far. */
interface Sending {
  readonly call: GuardedCall;
  readonly handle: string;
  readonly request: CallRequest;
}

/** What was found out about a call: how it ended, how it answers meanwhile, or what came in between. */
type Found = IngressAnswer | { readonly is: 'answered'; readonly outcome: Outcome };

/** How many times a key may be used again after failures that freed it. */
const maxUses = 1_000;
/** The first look at a call that has not ended, and the longest pause between two looks. */
const looksMs = { first: 100, longest: 2_000 };

/** Makes what sends a call to Restate and waits for its outcome. */
export function createSendCall(ingress: RestateIngress, approvalMs: number): (call: GuardedCall) => Promise<Outcome> {
  return async (call) => {
    const key = keyOf(call);
    if (key === '')
      return call.refuse('not_configured', `${call.tool.name} made no key of its arguments that could be compared, so it did not run.`);
    const { name } = call.tool;
    const first = firstOf(call);
    const base = `${name}.${key === undefined ? first : print([name, key])}`;
    const request = { ...toRequest(call, key, approvalMs), ...(key === undefined && first !== call.invocationId && { callName: first }) };
    if (!isJson(request.args))
      return call.refuse('invalid_input', `${name} runs elsewhere, so its arguments must be JSON.`, { effect: 'none' });
    const end = new AbortController();
    call.onEnd(() => end.abort());
    const rerun = rerunOf(call);
    const prepared = rerun ? await prepareRerun(ingress, call, base, rerun, end.signal) : { uses: 1, earlier: {} };
    if ('outcome' in prepared) return prepared.outcome;
    let earlier: Earlier = prepared.earlier;
    // Its deadline may pass while a worker runs it.
    call.markMayHaveEffect();
    for (let { uses } = prepared; uses <= maxUses; uses += 1) {
      const sending = { call, handle: nthHandle(base, uses), request: { ...request, ...earlier } };
      const found = await watch(sending, end.signal, () => makeCall(sending, end.signal));
      if (found.is === 'answered') return found.outcome;
      if (found.is !== 'ended') return refuse(call, found);
      const answer = answerEnded(call, found.result, request.fields);
      if (answer.is === 'outcome' && !(await wasRunAgain(call, found.result, nthHandle(base, uses + 1), end.signal))) return answer.outcome;
      const { kept } = found.result;
      earlier = { ...(kept && { kept }), ...(answer.is === 'lost' && { isAfterLost: true }) };
    }
    return call.refuse('not_ready', `The key of ${name} was used too often.`, { effect: 'none' });
  };

  /** Checks whether a call that failed was run again by the wish of its caller: then the end of that counts. */
  async function wasRunAgain(
    call: GuardedCall,
    { invocationId, outcome }: CallResult,
    next: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (outcome.status !== 'error' || !call.tool.steps || invocationId === call.invocationId) return false;
    const { is } = await ingress.output(call.tenantId, next, signal);
    return is === 'ended' || is === 'running';
  }

  /** Makes the call, or joins the one that its key has made; again and again while Restate cannot be reached, or does not answer. */
  async function makeCall({ call, handle, request }: Sending, signal: AbortSignal): Promise<Found> {
    const { tenantId } = call;
    let isSent = false;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const made = await ingress.run(tenantId, handle, request, signal);
      const found = made.is === 'taken' ? await join(call, handle, request, signal) : made;
      if (found.is !== 'unreachable') return found;
      isSent ||= found.isSent;
      // Sending once more is safe: Restate makes one call of all requests with this name.
      if (signal.aborted || call.remainingMs < 2 * pauseMs + wayBackMs) return { ...found, isSent };
      await sleep(pauseMs, signal);
    }
  }

  async function join(call: GuardedCall, handle: string, { fields }: CallRequest, signal: AbortSignal): Promise<Found> {
    const output = await ingress.output(call.tenantId, handle, signal);
    if (output.is !== 'running') return output;
    const state = await ingress.look(call.tenantId, handle, signal);
    if (state !== undefined && differingFields(fields, state.fields).length > 0)
      return { is: 'answered', outcome: refuseReusedKey(call, fields, state.fields) };
    const ended = await ingress.attach(call.tenantId, handle, signal);
    // It ran while this call waited, so its outcome counts for both, whatever it is.
    if (ended.is !== 'ended' || ended.result.invocationId === call.invocationId) return ended;
    return { is: 'answered', outcome: call.replay(ended.result.outcome, { replayed: true }) };
  }

  /** Waits for the end of a call, but no longer than until it waits itself: for a person, for an input, or for a time to pass. */
  async function watch({ call, handle }: Sending, ended: AbortSignal, wait: () => Promise<Found>): Promise<Found> {
    const stopWatching = new AbortController();
    const { signal } = call;
    const stop = (): void => void ingress.stop(call.tenantId, handle);
    signal.addEventListener('abort', stop, { once: true });
    const done = AbortSignal.any([ended, stopWatching.signal]);
    const pending = call.tool.steps || needsApproval(call) ? lookForPending(call, handle, done) : never;
    try {
      return await Promise.race([wait(), pending, deferred(call, handle, done)]);
    } finally {
      stopWatching.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  async function lookForPending(call: GuardedCall, handle: string, done: AbortSignal): Promise<Found> {
    for (let pauseMs = looksMs.first; ; pauseMs = Math.min(pauseMs * 2, looksMs.longest)) {
      await sleep(pauseMs, done);
      if (done.aborted) return never;
      const state = await ingress.look(call.tenantId, handle, done);
      if (state?.pending === undefined) continue;
      if (state.approval?.state === 'waiting' && state.invocationId === call.invocationId)
        call.emit(approvalEvent('approval-requested', state.approval));
      return { is: 'answered', outcome: call.pending(state.pending, wordsOf(call, state.pending)) };
    }
  }
}

/** Names the first invocation of a call that a journal repeats: Restate may have run it, and must not run it twice. */
function firstOf(call: GuardedCall): string {
  return (call.notes.get(callNotes.continued) as string | undefined) ?? rerunOf(call)?.origin ?? call.invocationId;
}

function isJson(args: unknown): boolean {
  try {
    return JSON.stringify(args) !== undefined;
  } catch {
    return false;
  }
}

const never = new Promise<never>(() => undefined);

/** Answers a call that takes longer than its tool's `deferAfterMs`; it goes on. */
function deferred(call: GuardedCall, handle: string, done: AbortSignal): Promise<Found> {
  const { deferAfterMs } = call.tool;
  if (deferAfterMs === undefined || deferAfterMs >= call.remainingMs) return never;
  return new Promise((resolve) => {
    const stop = systemClock.after(deferAfterMs, () => {
      const pending: Pending = { handle, reason: 'running', pollAfterMs: 1000 };
      resolve({ is: 'answered', outcome: call.pending(pending, wordsOf(call, pending)) });
    });
    done.addEventListener('abort', stop, { once: true });
  });
}

function wordsOf({ tool }: GuardedCall, { handle, reason, ask }: Pending): string {
  if (reason === 'approval')
    return `${tool.name} waits for an approval and has not run. ${ask?.message} Tell the user; it runs once it is approved.`;
  if (reason === 'input') return `${tool.name} waits for an input: ${ask?.message} It goes on once it has it.`;
  return `${tool.name} takes longer and goes on. Do not call it again: call ${waitForResult.name} with the handle ${handle}.`;
}

/** Refuses a call that has no outcome, and says why. */
function refuse(call: GuardedCall, found: Exclude<Found, { readonly is: 'ended' | 'answered' }>): Outcome {
  const { name } = call.tool;
  switch (found.is) {
    case 'unknown':
      return call.refuse('not_configured', `${name} did not run: no worker for it is registered with Restate.`, { effect: 'none' });
    case 'changed':
      return call.refuse('conflict', `${name} has changed since this call began, so that it cannot go on.`, { effect: 'unknown' });
    case 'unreachable':
      return call.refuse(
        'not_ready',
        `${name} ${found.isSent ? 'was sent to Restate, which does not answer now' : 'did not run: Restate cannot be reached'}.`,
        {
          effect: found.isSent && call.tool.effects !== 'none' ? 'unknown' : 'none',
          cause: found.cause,
        },
      );
    case 'failed':
      return call.refuse('internal', `Restate did not run ${name}: ${found.why}.`, { effect: 'unknown' });
    case 'taken':
    case 'running':
      return call.refuse('not_ready', `${name} runs already; ask again.`, { effect: 'unknown' });
  }
}
