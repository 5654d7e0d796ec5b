import type { Outcome } from 'toolpact';
import type { EngineRun, GuardedCall, StepRecord } from 'toolpact/extend';
import { callNotes, findMisfit, sleep, systemClock } from 'toolpact/internal';
import { type CallRequest, toRequest, type WaitingState, wayBackMs } from './call-request.ts';
import { toEngineSteps } from './kept-steps.ts';
import type { IngressAnswer, RestateIngress } from './restate-ingress.ts';
import type { Answer } from './restate-waits.ts';

/** A call that Restate runs, as the process sees it that watches. */
interface Sending {
  readonly call: GuardedCall;
  readonly run: EngineRun;
  readonly request: CallRequest;
  /** The questions whose answers Restate was given. */
  readonly answered: readonly string[];
}

/** The state of a call: its end, what it waits for, or an interruption. */
type Found = IngressAnswer | { readonly is: 'waiting'; readonly state: WaitingState };

/** The first look at a call that has not ended, and the longest pause between two looks. */
const looksMs = { first: 100, longest: 2_000 };
/** A call that sleeps for no longer is waited for. */
const shortWaitMs = 100;
/** For how long a call is watched whose caller has its answer: it was stopped, and ends soon. */
const afterEndMs = 60_000;

/** Creates what sends a call to Restate, under the id that it has in the store, and waits for its end or for what it waits for. */
export function createSendCall(ingress: RestateIngress): (call: GuardedCall) => Promise<Outcome> {
  return async (call) => {
    const { name } = call.tool;
    const run = call.notes.get(callNotes.engineRun) as EngineRun | undefined;
    if (run === undefined)
      return call.refuse('not_configured', `${name} cannot run on Restate: its call is not remembered here.`, { effect: 'none' });
    const request = toRequest(call, run);
    if (!isJson(request.args))
      return call.refuse('invalid_input', `${name} runs elsewhere, so its arguments must be JSON.`, { effect: 'none' });
    const { tenant, id } = run.place;
    const over = new AbortController();
    call.onEnd(() => systemClock.after(afterEndMs, () => over.abort(), { background: true }));
    if (run.isCancelled && (await ingress.output(tenant, id, over.signal)).is === 'unknown')
      return call.refuse('cancelled', `${name} was cancelled before it ran.`, { effect: 'none' });
    run.begin();
    call.markMayHaveEffect();
    const answered = await giveAnswers(call, run);
    if (run.isCancelled) void ingress.stop(tenant, id);
    const result = await watch({ call, run, request, answered }, over.signal);
    if (result.is === 'waiting') return suspend(call, run, result.state);
    if (result.is !== 'ended') return refuse(call, result);
    const { outcome, kept = {} } = result.result;
    await run.keep(toEngineSteps(kept));
    return call.replay(outcome);
  };

  /** Returns Restate the answers that the store has; those that it has already change nothing. */
  async function giveAnswers(call: GuardedCall, { place, questions }: EngineRun): Promise<readonly string[]> {
    const answeredQuestions = questions.filter(({ state, handle }) => state === 'answered' && handle.startsWith(`${place.id}?`));
    const put = async (id: string, answer: unknown): Promise<void> => {
      for (let pauseMs = 20; !call.signal.aborted; pauseMs = Math.min(pauseMs * 2, 1_000)) {
        if ((await ingress.settle(place.tenant, place.id, id, answer)).is !== 'unreachable') return;
        await sleep(pauseMs, call.signal);
      }
    };
    await Promise.all(answeredQuestions.map(({ id, answer }) => put(id, toAnswer(answer))));
    return answeredQuestions.map(({ id }) => id);
  }

  /** Waits for the end of a call, but no longer than until it waits itself: for an input, or for a time to pass. */
  async function watch(sending: Sending, over: AbortSignal): Promise<Found> {
    const { call, run } = sending;
    const { tenant, id } = run.place;
    const stopWatching = new AbortController();
    const { signal } = call;
    // Where another process has the call, it goes on.
    const stop = (): void => void (run.isLost() || ingress.stop(tenant, id));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const done = AbortSignal.any([over, stopWatching.signal]);
    try {
      return await Promise.race([makeCall(sending, done), call.tool.steps ? lookForWait(sending, done) : never]);
    } finally {
      stopWatching.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Makes the call, or joins the one that was made under its id; again and again while Restate cannot be reached, or does not answer. */
  async function makeCall({ call, run, request }: Sending, done: AbortSignal): Promise<Found> {
    const { tenant, id } = run.place;
    let isSent = false;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const started = await ingress.run(tenant, id, request, done);
      const answer = started.is === 'taken' ? await ingress.attach(tenant, id, done) : started;
      if (answer.is !== 'unreachable') return answer;
      isSent ||= answer.isSent || started.is === 'taken';
      // Sending once more is safe: Restate makes one call of all requests with this name. What it may have is waited for.
      const isHopeless = !isSent && call.remainingMs < 2 * pauseMs + wayBackMs;
      if (done.aborted || isHopeless) return { ...answer, isSent };
      await sleep(pauseMs, done);
    }
  }

  async function lookForWait({ run, answered }: Sending, done: AbortSignal): Promise<Found> {
    const { tenant, id } = run.place;
    for (let pauseMs = looksMs.first; ; pauseMs = Math.min(pauseMs * 2, looksMs.longest)) {
      await sleep(pauseMs, done);
      if (done.aborted) return never;
      const state = (await ingress.look(tenant, id, done))?.waiting;
      // The waiting state may be older than the answers that the call was given.
      if (state === undefined || run.isCancelled || !answered.every((question) => state.answered.includes(question))) continue;
      const leftMs = (state.wakeAt ?? Number.POSITIVE_INFINITY) - Date.now();
      if (leftMs > shortWaitMs) return { is: 'waiting', state };
    }
  }
}

/** Leaves out what the store keeps besides: who answered, and how it is shown. */
function toAnswer(stored: unknown): Answer {
  const { value = null, refusal } = stored as { readonly value?: unknown; readonly refusal?: StepRecord };
  return refusal === undefined ? { value } : { refusal };
}

/** Lets a call wait in the store. */
function suspend(call: GuardedCall, run: EngineRun, { pending, questions, wakeAt }: WaitingState): Outcome {
  const handleOf = (id: string): string => `${run.place.id}?${id}`;
  run.suspend({
    pending,
    ...(wakeAt !== undefined && { wakeMs: Math.max(1, wakeAt - Date.now()) }),
    questions: questions.map(({ id, ask }) => ({ handle: handleOf(id), kind: 'input', id, ask: ask as never })),
    async check(handle, answer) {
      const schema = questions.find(({ id }) => handleOf(id) === handle)?.ask.schema;
      return schema === undefined ? undefined : findMisfit(schema, answer);
    },
  });
  return call.pending(pending);
}

function isJson(args: unknown): boolean {
  try {
    return JSON.stringify(args) !== undefined;
  } catch {
    return false;
  }
}

const never = new Promise<never>(() => undefined);

/** Refuses a call that has no outcome, and says why. */
function refuse(call: GuardedCall, found: Exclude<Found, { readonly is: 'ended' | 'waiting' }>): Outcome {
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
      return call.refuse('not_ready', `${name} is already running; ask again.`, { effect: 'unknown' });
  }
}
