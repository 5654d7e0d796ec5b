import { noTenant } from '../../contract/index.ts';
import { cleanText } from '../../json/index.ts';
import {
  isOutcome,
  makeFailure,
  type Outcome,
  type Pending,
  pending,
  refuseOptions,
  type ToolpactError,
  toReply,
  withoutAbsent,
} from '../../outcome/index.ts';
import type { GuardedToolbox, Store } from '../../ports/index.ts';
import { settleQuestion } from '../durable/settle-question.ts';
import { askStore, demandOf } from '../store-access/ask-store.ts';
import { awaitPending, ownLookMs, type WaitOptions } from '../store-access/await-pending.ts';
import { listRecords } from '../store-access/list-all.ts';
import {
  lostFailure,
  noteCancelled,
  type PendingCall,
  pendingKey,
  pendingSpace,
  readPendingCall,
  settlePendingCall,
} from '../store-access/pending-calls.ts';
import { watchChanges } from '../store-access/pending-changes.ts';
import { isStoredOutcome } from '../store-access/stored-outcome.ts';
import { stillWaiting } from './pending-reader.ts';

/** Asks the store about pending calls, and throws where it fails or does not answer. */
const demand = demandOf('The pending calls');

/** The most characters of an unknown handle that are repeated: callers may send anything. */
const maxShown = 200;

/** How long a call that goes on with its answer may take until it ends, or waits again. */
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
  /** Gives an outcome that is there already a handle, under which it is read like that of a pending call of this user. Rejects when the store does not answer. */
  readonly keepOutcome: (outcome: Outcome, userId?: string) => Promise<string>;
  /** Stores that the client of a pending call has cancelled it, which stops nothing. False when it has ended, or is not there. Rejects when the store does not answer. */
  readonly noteCancelled: (handle: string) => Promise<boolean>;
  /** Waits until a pending call has its outcome, from whichever process; answers `pending` again when the time is over. */
  readonly wait: (handle: string, options?: WaitOptions) => Promise<Outcome>;
  /** Gives a pending call now and whenever it changes, until it has its outcome. Ends at once where there is none; throws when the store does not answer. */
  readonly watchPending: (handle: string, options?: { readonly signal?: AbortSignal }) => AsyncGenerator<PendingCallState, void, undefined>;
}

/** A call that was answered as pending. Times are epoch milliseconds. */
export interface PendingCallState
  extends Pick<PendingCall, 'tool' | 'invocationId' | 'userId' | 'pending' | 'since' | 'endedAt' | 'cancelledAt' | 'outcome'> {
  /** When it is forgotten. */
  readonly expiresAt?: number | undefined;
  /** What it asks in the middle of its tool and was not answered, each with a handle of its own for `settle`. */
  readonly questions?: readonly { readonly handle: string; readonly ask: NonNullable<Pending['ask']> }[];
}

/** How pending calls are read and settled. */
interface PendingMethodsOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly retentionMs: number;
}

/** Makes what reads and settles the pending calls of a store, for the tenant that a toolbox is bound to. */
export function createPendingMethods({ store, now, retentionMs }: PendingMethodsOptions): (toolbox: GuardedToolbox) => DeferMethods {
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
      async listPending(page = {}) {
        refuseOptions('listPending', page, { after: true, limit: true });
        const { after, limit = 100 } = page;
        const records = await demand(() => listRecords(store, { space: pendingSpace, tenant, after, limit }));
        const calls = records.flatMap((record) => {
          const call = readPendingCall(record);
          return call === undefined ? [] : [toState(call, record.expiresAt)];
        });
        const last = records.length < limit ? undefined : records.at(-1)?.seq;
        return { calls, ...(last !== undefined && { next: last }) };
      },
      async keepOutcome({ input: _, ...outcome }, userId) {
        const handle = `call_${crypto.randomUUID()}`;
        const { tool = '', invocationId = handle } = outcome.meta;
        const time = now();
        const pending = { handle, reason: 'running' as const };
        const value: PendingCall = {
          v: 1,
          tool,
          invocationId,
          ...(userId !== undefined && { userId }),
          pending,
          input: null,
          since: time,
          endedAt: time,
          outcome: outcome as Outcome,
        };
        await demand(() => store.put({ ...pendingKey(tenant, handle), value: value as never, expiresAt: time + retentionMs }, 0));
        return handle;
      },
      noteCancelled: (handle) => demand(() => noteCancelled(store, tenant, handle, now())),
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
            `${call.tool} is not among the tools here, so its result cannot be checked.`,
            'Settle it where its tools are.',
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
      async wait(handle, options = {}) {
        try {
          refuseOptions('wait', options, { timeoutMs: true, signal: true, untilSure: true });
        } catch (mistake) {
          return answerOf('not_configured', (mistake as ToolpactError).message);
        }
        const { timeoutMs = 30_000, signal = AbortSignal.any([]), untilSure } = options;
        const awaited = await awaitPending(store, { tenant, handle, timeoutMs, signal, untilSure });
        switch (awaited.is) {
          case 'ended':
            return awaited.outcome;
          case 'lost':
            return conclude(toolbox, awaited.call, lostFailure(awaited.call));
          case 'waiting':
            return waiting(awaited.call, awaited.isApproved);
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
    const answer = await askStore(() => settleQuestion(store, tenant, handle, call, given), { timeoutMs: longestAnswerMs });
    if (!answer.ok) return answerOf('not_ready', `The answer to ${handle} could not be stored: ${answer.why}.`);
    const answered = answer.value;
    if ('outcome' in answered) return answered.outcome;
    if ('problem' in answered) return answerOf('invalid_input', `This does not answer ${handle}: ${answered.problem}.`);
    if (answered.is === 'late') return answerOf('conflict', `${handle} does not ask for anything now.`);
    return conclude(toolbox, call, pending({ handle: call.pending.handle, reason: 'running', pollAfterMs: 1000 }));
  }

  return methods;
}

function toState(call: PendingCall, expiresAt: number | undefined): PendingCallState {
  const { tool, invocationId, userId, pending, since, endedAt, cancelledAt, outcome, suspended } = call;
  const questions = outcome === undefined ? suspended?.questions?.map(({ handle, ask }) => ({ handle, ask })) : undefined;
  return {
    ...withoutAbsent({ tool, invocationId, userId, pending, since, endedAt, cancelledAt, outcome, questions }),
    expiresAt,
  } as PendingCallState;
}

function conclude(toolbox: GuardedToolbox, { tool, input, invocationId, callId }: PendingCall, given: unknown): Promise<Outcome> {
  return toolbox.toOutcome(tool, input, given, { invocationId, ...(callId !== undefined && { callId }) });
}

function waiting({ pending, tool, invocationId, callId }: PendingCall, isApproved: boolean): Outcome {
  const meta = Object.freeze({ tool, invocationId, ...(callId !== undefined && { callId }), tookMs: 0.001, attempts: 0 });
  const message = `${tool} ${stillWaiting(pending, isApproved)}`;
  return Object.freeze({ status: 'pending', pending, message, meta });
}

/** Answers for a call that is not there, or that its store does not give. */
function missing(handle: string, { why }: { readonly why?: string }): Outcome {
  if (typeof handle !== 'string') return answerOf('not_found', 'There is no such pending call.');
  const shown = cleanText(handle.slice(0, maxShown));
  return why === undefined
    ? answerOf('not_found', `There is no pending call ${shown}.`)
    : answerOf('not_ready', `The call ${shown} cannot be read now: ${why}.`);
}

function answerOf(
  kind: 'conflict' | 'forbidden' | 'invalid_input' | 'not_configured' | 'not_found' | 'not_ready',
  message: string,
  advice?: string,
): Outcome {
  return Object.freeze({
    status: 'error',
    error: makeFailure(kind, { message, ...(advice !== undefined && { advice }) }),
    meta: Object.freeze({ tookMs: 0.001, attempts: 0 }),
  });
}

function isSound(given: unknown): given is Outcome {
  return isOutcome(given) && isStoredOutcome(given);
}
