import { noTenant } from '../../../core/contract/index.ts';
import {
  isOutcome,
  makeFailure,
  type Outcome,
  type Pending,
  type PendingOutcome,
  pending,
  refuseOptions,
  toReply,
  withoutAbsent,
} from '../../../core/outcome/index.ts';
import {
  defineGuard,
  type Guard,
  type GuardedCall,
  type GuardedTool,
  type GuardedToolbox,
  type Store,
} from '../../../core/runtime/index.ts';
import { sleep, systemClock } from '../../../core/time/index.ts';
import { continuedNote, deferredNote } from '../durable/continued-note.ts';
import { settleQuestion } from '../durable/settle-question.ts';
import { createOwnerLease } from '../journal/owner-lease.ts';
import { type Ask, askStore, demandOf } from '../store-access/ask-store.ts';
import { assertPositive, assertStore } from '../store-access/assert-options.ts';
import { awaitPending, ownLookMs } from '../store-access/await-pending.ts';
import { keepProgress } from '../store-access/call-progress.ts';
import {
  lostFailure,
  openPendingCall,
  type PendingCall,
  pendingKey,
  pendingSpace,
  readPendingCall,
  type StoredQuestion,
  settlePendingCall,
} from '../store-access/pending-calls.ts';
import { watchChanges } from '../store-access/pending-changes.ts';
import { isStoredOutcome } from '../store-access/stored-outcome.ts';
import { withWarning } from '../with-meta.ts';
import { findDeferred, printDeferred, rememberDeferred } from './join-deferred.ts';
import { howToRead, pendingReader, stillWaiting, waiterName } from './pending-reader.ts';

/** How long calls are deferred. */
export interface DeferOptions {
  readonly store: Store;
  /** When a call is answered as pending, for tools that state nothing else. @default never */
  readonly afterMs?: number;
  /** How long a pending call and its outcome are remembered. @default 86_400_000 */
  readonly retentionMs?: number;
  /** For so long a silent process is taken to be alive; then its deferred calls are reported as interrupted. @default 10_000 */
  readonly leaseMs?: number;
  readonly now?: () => number;
}

/** Asks the store about pending calls, and throws where it fails or does not answer. */
const demand = demandOf('The pending calls');

/** A call that could not be deferred is tried again after so long, and then less and less often. */
const firstRetryMs = 250;
const longestRetryMs = 8_000;

/** A call that goes on with its answer may take so long until it ends, or waits again. */
const longestAnswerMs = 600_000;

/** What deferring adds to a toolbox. */
export interface DeferMethods {
  /**
   * Gives a pending call its outcome: data, a reply made by `ok`, `partial` or `fail`, or a whole outcome. Only the first counts; every further
   * one gets the first back. A call that asks in the middle of its tool takes the answer to its first question, or to the one whose handle is given.
   */
  readonly settle: (handle: string, outcome: unknown) => Promise<Outcome>;
  /** Finds a call that was answered as pending, with its outcome once it has one. Undefined when there is none; rejects when the store does not answer. */
  readonly findPending: (handle: string) => Promise<PendingCallState | undefined>;
  /** Lists the calls that were answered as pending, oldest first, ended ones too. `after` is the `next` of the page before. Rejects when the store does not answer. */
  readonly listPending: (page?: { readonly after?: number; readonly limit?: number }) => Promise<{
    readonly calls: readonly PendingCallState[];
    readonly next?: number;
  }>;
  /** Gives an outcome that is there already a handle, under which it is read like that of a pending call. Rejects when the store does not answer. */
  readonly keepOutcome: (outcome: Outcome) => Promise<string>;
  /** Waits until a pending call has its outcome, from whichever process; answers `pending` again when the time is over. */
  readonly wait: (handle: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }) => Promise<Outcome>;
  /** Gives a pending call now and whenever it changes, until it has its outcome. Ends at once where there is none; throws when the store does not answer. */
  readonly watchPending: (handle: string, options?: { readonly signal?: AbortSignal }) => AsyncGenerator<PendingCallState, void, undefined>;
}

/** A call that was answered as pending. Times are epoch milliseconds. */
export interface PendingCallState extends Pick<PendingCall, 'tool' | 'invocationId' | 'pending' | 'since' | 'endedAt' | 'outcome'> {
  /** When it is forgotten. */
  readonly expiresAt?: number | undefined;
  /** What it asks in the middle of its tool and was not answered, each with a handle of its own for `settle`. */
  readonly questions?: readonly Pick<StoredQuestion, 'handle' | 'ask'>[];
}

/**
 * Lets long calls answer later. A call that takes longer than its tool's `deferAfterMs` is answered as `pending` with a handle and goes on
 * under its deadline; an equal call of the same run, session or conversation then joins it. One whose handler returns `pending` is remembered too. `toolbox.wait` gets the outcome of either, `toolbox.settle` gives it
 * to those that end elsewhere. Without its store a call is deferred once the store is back, and says so in a warning.
 */
export function defer(options: DeferOptions): Guard<DeferMethods> {
  refuseOptions<DeferOptions>('defer', options, { store: true, afterMs: true, retentionMs: true, leaseMs: true, now: true });
  assertStore('defer', options);
  const { store, afterMs, retentionMs = 86_400_000, leaseMs = 10_000, now = Date.now } = options;
  assertPositive({ retentionMs, leaseMs, ...(afterMs !== undefined && { afterMs }) });

  const lease = createOwnerLease(store, leaseMs);

  /** Stores a call that goes on, so that it can be read later; gives the reason if it could not. It runs meanwhile, so the store has its time. */
  async function keep(call: GuardedCall, deferred: Pending, patienceMs?: number): Promise<string | undefined> {
    const ask: Ask = (asked) => askStore(asked, patienceMs);
    // A sign of life that failed is given again with the next call that begins.
    lease.begin()();
    const signed = await ask(lease.signed);
    if (!signed.ok) return signed.why;
    const running = { endsBy: now() + call.remainingMs, owner: lease.owner };
    return openPendingCall(store, call, deferred, now() + retentionMs, running, ask);
  }

  /** Answers a call as pending. One whose store is slow or gone is answered so as soon as the store is back. */
  async function detach(call: GuardedCall, print: string | undefined): Promise<void> {
    const deferred = { handle: `call_${crypto.randomUUID()}`, reason: 'running', pollAfterMs: 1000 } as const;
    call.onEnd(lease.begin());
    for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      const isFirst = pauseMs === firstRetryMs;
      const why = await keep(call, deferred, isFirst ? undefined : longestRetryMs);
      if (call.outcome !== undefined) return void settlePendingCall(store, call.tenantId, deferred.handle, call.outcome);
      if (why === undefined) break;
      if (isFirst) call.warn(`not deferred in time: ${why}`);
      await sleep(pauseMs, call.signal);
    }
    call.onEnd((outcome) => void settlePendingCall(store, call.tenantId, deferred.handle, outcome));
    (call.notes.get(deferredNote) as ((handle: string) => void) | undefined)?.(deferred.handle);
    if (print !== undefined) await rememberDeferred(store, call, print, deferred, retentionMs);
    call.detach(call.pending(deferred, `${call.tool.name} takes longer and goes on. ${howToRead(store, deferred.handle)}`));
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const patience = call.tool.deferAfterMs ?? afterMs;
    // A call that goes on is waited for already.
    const mayDefer =
      !call.notes.has(continuedNote) && patience !== undefined && patience < call.remainingMs && call.tool.name !== waiterName;
    if (mayDefer) keepProgress(store, call);
    const print = mayDefer ? await printDeferred(store, call) : undefined;
    const joined = print === undefined ? undefined : await findDeferred(store, call, print, lease.isAlive);
    if (joined !== undefined) return call.pending(joined, `The same call runs already. ${howToRead(store, joined.handle)}`);
    const stopTimer = mayDefer ? systemClock.after(patience, () => void detach(call, print)) : undefined;
    const outcome = await next();
    stopTimer?.();
    // What waits for another call answers with what that call waits for, and says itself what to do.
    if (outcome.status !== 'pending' || outcome.pending.reason === 'approval' || call.tool.name === waiterName) return outcome;
    const expiresAt = outcome.pending.expiresAt === undefined ? Number.NaN : Date.parse(outcome.pending.expiresAt);
    const why = await openPendingCall(store, call, outcome.pending, Math.max(now() + retentionMs, expiresAt || 0));
    return why === undefined ? withNextStep(store, call, outcome) : withWarning(outcome, `it cannot be settled later: ${why}`);
  }

  const methods = (toolbox: GuardedToolbox): DeferMethods => {
    const tenant = toolbox.context.tenantId ?? noTenant;
    const read = async (handle: string): Promise<PendingCall | Outcome> => {
      const answer = await askStore(() => store.get(pendingKey(tenant, handle)));
      return (answer.ok ? readPendingCall(answer.value) : undefined) ?? missing(handle, answer.ok ? {} : answer);
    };
    const find = async (handle: string) => {
      const record = await demand(() => store.get(pendingKey(tenant, handle)));
      const call = readPendingCall(record);
      return call && { owner: call.owner, state: toState(call, record?.expiresAt) };
    };
    return {
      findPending: async (handle) => (await find(handle))?.state,
      async *watchPending(handle, { signal = AbortSignal.any([]) } = {}) {
        const watch = watchChanges(store, tenant, handle);
        try {
          while (!signal.aborted) {
            const found = await find(handle);
            if (found === undefined) return;
            yield found.state;
            if (found.state.outcome !== undefined) return;
            watch.follow(found.owner);
            await watch.next(ownLookMs, signal);
          }
        } finally {
          watch.end();
        }
      },
      async listPending({ after, limit = 100 } = {}) {
        const records = await demand(() => store.list({ space: pendingSpace, tenant, after, limit }));
        const calls = records.flatMap((record) => {
          const call = readPendingCall(record);
          return call === undefined ? [] : [toState(call, record.expiresAt)];
        });
        const last = records.length < limit ? undefined : records.at(-1)?.seq;
        return { calls, ...(last !== undefined && { next: last }) };
      },
      async keepOutcome({ input: _, ...outcome }) {
        const handle = `call_${crypto.randomUUID()}`;
        const { tool = '', invocationId = handle } = outcome.meta;
        const time = now();
        const pending = { handle, reason: 'running' as const };
        const value: PendingCall = {
          v: 1,
          tool,
          invocationId,
          pending,
          input: null,
          since: time,
          endedAt: time,
          outcome: outcome as Outcome,
        };
        await demand(() => store.put({ ...pendingKey(tenant, handle), value: value as never, expiresAt: time + retentionMs }, 0));
        return handle;
      },
      async settle(handle, given) {
        const call = await read(handle);
        if (!('v' in call)) return call;
        if (call.outcome !== undefined) return call.outcome;
        // A made-up result would end the waiting of a call that a person has to decide about.
        if (call.pending.reason === 'approval') {
          return answerOf('forbidden', `${handle} waits for an approval, which only \`decide\` gives or denies.`);
        }
        if (call.suspended !== undefined) return answerQuestion(toolbox, tenant, handle, call, isSound(given) ? toReply(given) : given);
        if (toolbox.find(call.tool) === undefined) {
          return answerOf(
            'not_configured',
            `${call.tool} is not among the tools here, so its result cannot be checked. Settle it where they are.`,
          );
        }
        const outcome = await conclude(toolbox, call, isSound(given) ? toReply(given) : given);
        // Not an end: the process that runs the call may still store one.
        if (outcome.status === 'pending') return outcome;
        return (
          (await settlePendingCall(store, tenant, handle, outcome)) ??
          answerOf('not_ready', `The outcome of ${handle} could not be stored.`)
        );
      },
      async wait(handle, { timeoutMs = 30_000, signal = AbortSignal.any([]) } = {}) {
        const awaited = await awaitPending(store, { tenant, handle, timeoutMs, signal, now });
        switch (awaited.is) {
          case 'ended':
            return awaited.outcome;
          case 'lost':
            return conclude(toolbox, awaited.call, lostFailure(awaited.call));
          case 'waiting':
            return waiting(awaited.call);
          default:
            return missing(handle, awaited.is === 'unreadable' ? awaited : {});
        }
      },
    };
  };
  /** Answers what a call asks in the middle of its tool. */
  async function answerQuestion(
    toolbox: GuardedToolbox,
    tenant: string,
    handle: string,
    call: PendingCall,
    given: unknown,
  ): Promise<Outcome> {
    const answer = await askStore(() => settleQuestion(store, tenant, handle, call, given), longestAnswerMs);
    if (!answer.ok) return answerOf('not_ready', `The answer to ${handle} could not be stored: ${answer.why}.`);
    const answered = answer.value;
    if ('outcome' in answered) return answered.outcome;
    if ('problem' in answered) return answerOf('invalid_input', `This does not answer ${handle}: ${answered.problem}.`);
    if (answered.is === 'late') return answerOf('conflict', `${handle} does not ask for anything now.`);
    return conclude(toolbox, call, pending({ handle: call.pending.handle, reason: 'running', pollAfterMs: 1000 }));
  }

  // A handler that returns `pending` by itself cannot be known before.
  const tools = (given: readonly GuardedTool[]): readonly unknown[] =>
    afterMs !== undefined || given.some(({ deferAfterMs, approval }) => deferAfterMs !== undefined || (approval ?? false) !== false)
      ? [pendingReader({ store })]
      : [];
  return defineGuard({ name: 'defer', once: true, phase: 'defer', provides: ['deferAfterMs'], around, tools, methods });
}

/** A handler that answers `pending` knows what it waits for; how its result is read, it does not. */
function withNextStep(store: Store, call: GuardedCall, outcome: PendingOutcome): Outcome {
  const { pending, message = pending.ask?.message ?? `${call.tool.name} goes on elsewhere.` } = outcome;
  const next = pending.reason === 'input' ? `Tell the user. ${howToRead(store, pending.handle)}` : howToRead(store, pending.handle);
  return Object.freeze({ ...outcome, message: `${message} ${next}` });
}

function toState(call: PendingCall, expiresAt: number | undefined): PendingCallState {
  const { tool, invocationId, pending, since, endedAt, outcome, suspended } = call;
  const questions = outcome === undefined ? suspended?.questions?.map(({ handle, ask }) => ({ handle, ask })) : undefined;
  return { ...withoutAbsent({ tool, invocationId, pending, since, endedAt, outcome, questions }), expiresAt } as PendingCallState;
}

function conclude(toolbox: GuardedToolbox, { tool, input, invocationId, callId }: PendingCall, given: unknown): Promise<Outcome> {
  return toolbox.toOutcome(tool, input, given, { invocationId, ...(callId !== undefined && { callId }) });
}

function waiting({ pending, tool, invocationId, callId }: PendingCall): Outcome {
  const meta = Object.freeze({ tool, invocationId, ...(callId !== undefined && { callId }), tookMs: 0.001, attempts: 0 });
  const message = `${tool} ${stillWaiting(pending)}`;
  return Object.freeze({ status: 'pending', pending, message, meta });
}

/** Answers for a call that is not there, or that its store does not give. */
function missing(handle: string, { why }: { readonly why?: string }): Outcome {
  return why === undefined
    ? answerOf('not_found', `There is no pending call ${handle}.`)
    : answerOf('not_ready', `The call ${handle} cannot be read now: ${why}.`);
}

function answerOf(
  kind: 'conflict' | 'forbidden' | 'invalid_input' | 'not_configured' | 'not_found' | 'not_ready',
  message: string,
): Outcome {
  return Object.freeze({ status: 'error', error: makeFailure(kind, { message }), meta: Object.freeze({ tookMs: 0.001, attempts: 0 }) });
}

function isSound(given: unknown): given is Outcome {
  return isOutcome(given) && isStoredOutcome(given);
}
