import { type CallContext, findMisfit, noTenant } from '../../contract/index.ts';
import { cleanText, cutText } from '../../json/index.ts';
import { fail, isOutcome, type ToolpactError as Mistake, type Outcome, pending, refuseOptions, toReply } from '../../outcome/index.ts';
import {
  type GuardedToolbox,
  type ListedCall,
  type RecordedCall,
  type StoredCall,
  toQuestionAnswer,
  untilWritten,
  withdrawnFailure,
} from '../../ports/index.ts';
import { approvalEvent } from '../../runtime/index.ts';
import { sleep, systemClock } from '../../time/index.ts';
import { approvalOf, toApproval } from '../approvals/approval-question.ts';
import { endStored } from '../approvals/end-waiting.ts';
import type { CallRegistry } from '../call-registry.ts';
import { cancelledFailure, type GoOn } from '../go-on/go-on.ts';
import { createRerun, type RerunOptions } from '../go-on/rerun-call.ts';
import { createResume, type ResumedCall } from '../go-on/resume-run.ts';
import { bareMeta, bareOutcome, toCallEnd } from '../run/answers.ts';
import { readStart } from '../run/stored-start.ts';
import { askStore, demandOf } from '../store/ask-store.ts';
import { hasSoundOutcome, ifReadable, isStoredOutcome, soundCall } from '../store/stored-outcome.ts';
import { awaitCall, endOf, pendingOf } from './await-call.ts';
import { type CallFilter, type CallPage, toCallQuery } from './call-filter.ts';
import { hasText } from './has-text.ts';
import { toListed, toRecorded } from './recorded-call.ts';
import { stillWaiting } from './result-reader.ts';

/** How long a pending call is waited for. */
export interface WaitOptions {
  /** @default 30_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Reads, answers and stops the calls that the store of a toolbox remembers. A call is named by its id, or by the handle that its caller got. */
export interface CallMethods {
  /** Finds a call with all that is known of it. Undefined when there is none; rejects when the store does not answer. */
  readonly get: (id: string) => Promise<RecordedCall | undefined>;
  /** Lists calls, newest first, page by page. Rejects when the store does not answer. */
  readonly list: (filter?: CallFilter) => Promise<CallPage>;
  /** Returns a call now and whenever it changes, until it has ended. Ends at once where there is none; throws when the store does not answer. */
  readonly watch: (id: string, options?: { readonly signal?: AbortSignal }) => AsyncGenerator<RecordedCall, void, undefined>;
  /** Waits until a call has its outcome, from whichever process; answers `pending` when the time is over. */
  readonly wait: (id: string, options?: WaitOptions) => Promise<Outcome>;
  /**
   * Stops a call that runs, sleeps or waits, also before it was approved. One that runs is stopped in whichever process that is: the signal of its
   * handler fires, and the call ends as its handler does, or as `cancelled` when the handler goes on for a second. Gives whether there was such
   * a call. Rejects when the store does not answer.
   */
  readonly cancel: (id: string, options?: { readonly by?: string }) => Promise<boolean>;
  /**
   * Runs a call with steps that failed once more, from a step on: what ended before it is remembered. A step that writes and has taken effect,
   * or may have, is not run a second time unless its `reconcile` finds that it did not. A call that has succeeded or still runs is refused.
   */
  readonly rerun: (id: string, options?: RerunOptions, context?: CallContext) => Promise<Outcome>;
  /**
   * Returns a pending call its outcome: data, a reply made by `ok`, `partial` or `fail`, or a whole outcome. Only the first counts; every further
   * one gets the first back. A call that asks in the middle of its tool takes the answer to its first question, or to the one whose handle is given.
   * `by` names who answers.
   */
  readonly settle: (handle: string, outcome: unknown, facts?: { readonly by?: string }) => Promise<Outcome>;
  /**
   * Reports what became of the calls of a run, in the order in which they began, after a crash or at any time: those that were cut off and are
   * safe to repeat are repeated, the others are settled by their tool's `reconcile` or end as `interrupted`. Rejects when the store does not answer.
   */
  readonly resume: (runId: string, context?: CallContext) => Promise<ResumedCall[]>;
}

/** Further methods on calls, for servers. */
export interface InnerCallMethods {
  readonly tenant: string;
  /** Returns an outcome that is there already a handle, under which it is read like that of a call of this user. Rejects when the store does not answer. */
  readonly keep: (outcome: Outcome, userId?: string) => Promise<string>;
}

const demand = demandOf('The calls');
/** How many calls one page looks through for a text, and how many at once. */
const maxSearched = 10_000;
const searchStep = 100;
/** The most characters of an unknown handle that are repeated: callers may send anything. */
const maxShown = 200;
/** The most characters of an answer that are listed. */
const maxAnswer = 300;
/** How often a call that goes on just then is looked at again, to stop it. */
const maxLooks = 100;

/** Creates what reads, answers and stops the calls of the tenant that a toolbox is bound to. */
export function createCallMethods(registry: CallRegistry, goOn: GoOn): (toolbox: GuardedToolbox) => CallMethods & InnerCallMethods {
  const { ledger, store, traces } = registry;

  return (toolbox) => {
    const tenant = toolbox.context.tenantId ?? noTenant;
    const find = async (id: string): Promise<StoredCall | undefined> => {
      await untilWritten(registry.store);
      return demand(async () => soundCall(await ledger.get(tenant, String(id))));
    };
    const methods: CallMethods & InnerCallMethods = {
      tenant,
      async get(id) {
        const call = await find(id);
        return call && toRecorded(call, traces);
      },
      async list(filter = {}) {
        const { text, ...query } = toCallQuery(filter, tenant);
        await untilWritten(registry.store);
        return text === undefined ? listPage(query) : search(query, text);
      },
      async *watch(id, { signal = AbortSignal.any([]) } = {}) {
        while (!signal.aborted) {
          const call = await find(id);
          if (call === undefined) return;
          yield toRecorded(call, traces);
          if (call.stage === 'ended' && call.guessAbout === undefined) return;
          await registry.changes.next(call, 3_600_000, signal);
        }
      },
      async wait(id, options = {}) {
        try {
          refuseOptions('calls.wait', options, { timeoutMs: true, signal: true });
        } catch (mistake) {
          return bareOutcome('not_configured', (mistake as Mistake).message);
        }
        const { timeoutMs = 30_000, signal = AbortSignal.any([]) } = options;
        const awaited = await awaitCall(store, { tenant, handle: id, timeoutMs, signal });
        switch (awaited.is) {
          case 'ended':
            return awaited.outcome;
          case 'lost':
            return concludeLost(toolbox, awaited.call);
          case 'waiting': {
            const { call, pending: waiting, isApproved } = awaited;
            const message = `${call.tool} ${stillWaiting(waiting, isApproved)}`;
            return Object.freeze({
              status: 'pending',
              pending: waiting,
              message,
              meta: bareMeta({ tool: call.tool, invocationId: call.id }),
            });
          }
          default:
            return missing(id, awaited.is === 'unreadable' ? awaited.why : undefined);
        }
      },
      async cancel(id, options = {}) {
        refuseOptions('calls.cancel', options, { by: true });
        return cancel(toolbox, tenant, String(id), options.by);
      },
      async settle(handle, outcome, facts = {}) {
        refuseOptions<{ readonly by?: string }>('calls.settle', facts, { by: true });
        return settle(toolbox, tenant, String(handle), outcome, facts.by);
      },
      rerun: createRerun(registry, toolbox),
      resume: createResume(registry, toolbox, goOn),
      async keep(outcome, userId) {
        const id = crypto.randomUUID();
        const at = systemClock.now();
        const { tool = '' } = outcome.meta;
        const listed: ListedCall = {
          id,
          tool,
          status: 'running',
          begunAt: new Date(at).toISOString(),
          attempts: 0,
          tenantId: tenant,
          traceId: outcome.meta.traceId ?? '',
          ...(userId !== undefined && { userId }),
        };
        const draft = {
          tenant,
          id,
          tool,
          process: undefined,
          isPromised: false,
          origin: id,
          listed,
          by: { begunAt: at },
          start: { v: 1 },
          keepMs: registry.keepMs,
        };
        await demand(() => ledger.begin(draft));
        await demand(() => endStored(registry, { tenant, id, epoch: 1, listed }, outcome));
        return id;
      },
    };
    return methods;
  };

  async function listPage(query: Omit<ReturnType<typeof toCallQuery>, 'text'>): Promise<CallPage> {
    const { rows, next } = await demand(() => ledger.list(query));
    return { calls: rows.map(toListed), ...(next !== undefined && { next }) };
  }

  /** Looks through calls for a text: as they are listed, or in what is stored of them. */
  async function search(query: Omit<ReturnType<typeof toCallQuery>, 'text'>, text: string): Promise<CallPage> {
    const has = hasText(text);
    const calls: ListedCall[] = [];
    let { cursor } = query;
    for (let searched = 0; searched < maxSearched; searched += searchStep) {
      const { rows, next } = await demand(() => ledger.list({ ...query, limit: searchStep, cursor }));
      const matches = await Promise.all(
        rows.map(async (row) => {
          if (has(row.listed)) return row;
          const whole = await ifReadable(demand(() => ledger.get(row.tenant, row.id)));
          return whole !== undefined && (has(whole.start) || has(whole.outcome)) ? row : undefined;
        }),
      );
      for (const row of matches) {
        if (row === undefined) continue;
        calls.push(toListed(row));
        if (calls.length === query.limit) return { calls, next: row.cursor };
      }
      cursor = next;
      if (next === undefined) return { calls };
      // A store in this process answers at once: other calls get their turn.
      await sleep(0);
    }
    return { calls, ...(cursor !== undefined && { next: cursor }) };
  }

  async function cancel(toolbox: GuardedToolbox, tenant: string, id: string, by: string | undefined): Promise<boolean> {
    await untilWritten(registry.store);
    for (let looks = 0; looks < maxLooks; looks += 1) {
      const call = await demand(() => ledger.get(tenant, id));
      if (call === undefined || call.stage === 'ended') return false;
      const isWaiting = call.stage === 'waiting';
      const approval = isWaiting ? approvalOf(call) : undefined;
      // An engine ends its calls itself: it alone knows what they have done.
      const isOnEngine = registry.isOnEngine && call.outcome?.status === 'pending' && call.outcome.pending.reason !== 'approval';
      const end = isWaiting && !isOnEngine ? await cancelledEnd(toolbox, call, approval !== undefined) : undefined;
      const request = { ...(by !== undefined && { by }), ...(end !== undefined && { end: { ...end, epoch: call.epoch } }) };
      const done = await demand(() => ledger.cancel(call, request));
      if (done.is === 'unknown' || done.is === 'over') return false;
      // It began to wait meanwhile, or goes on just then: what runs has heard of it, what waits has not ended.
      if (done.is === 'asked' && done.call.stage === 'waiting') {
        if (!isOnEngine) continue;
        void goOn.wake(call).catch(() => undefined);
        return true;
      }
      if (done.is === 'asked') registry.life.stop(call);
      if (done.is === 'ended') {
        registry.held.release(call);
        if (approval !== undefined) toolbox.emit(approvalEvent('approval-expired', toApproval(approval, done.call)));
      }
      return true;
    }
    return false;
  }

  async function cancelledEnd(toolbox: GuardedToolbox, call: StoredCall, isAsked: boolean) {
    const steps = await demand(() => ledger.steps(call));
    const { tool, handle } = call;
    const hasBegun = steps.length > 0;
    const failure = isAsked && !hasBegun ? withdrawnFailure({ tool, handle }) : cancelledFailure({ ...call, steps });
    const outcome = await toOutcome(toolbox, call, failure);
    return toCallEnd(call.listed, outcome, { keepsSteps: hasBegun, ...(!hasBegun && { keyCountsMs: 0 }) });
  }

  /** Answers for a call whose process is gone, and that no worker goes on with. */
  async function concludeLost(toolbox: GuardedToolbox, call: StoredCall): Promise<Outcome> {
    const effects = toolbox.find(call.tool)?.effects ?? 'writes';
    const message = `The process that ran ${call.tool} died, and it is not known how far it got.`;
    return toOutcome(toolbox, call, fail('interrupted', message, { effect: effects === 'none' ? 'none' : 'unknown' }));
  }

  async function settle(toolbox: GuardedToolbox, tenant: string, handle: string, given: unknown, by?: string): Promise<Outcome> {
    const answer = await askStore(() => ledger.get(tenant, handle));
    const call = answer.ok ? answer.value : undefined;
    if (call === undefined) return missing(handle, answer.ok ? undefined : answer.why);
    if (!hasSoundOutcome(call)) return missing(handle, 'the store gave a call that cannot be read here');
    const ended = endOf(call);
    if (ended !== undefined) return ended;
    const waiting = pendingOf(call);
    // A made-up result would end the waiting of a call that a person has to decide about.
    if (waiting.reason === 'approval')
      return bareOutcome('forbidden', `${handle} waits for an approval, which only \`approvals.decide\` gives or denies.`);
    const value = isSound(given) ? toReply(given) : given;
    const isQuestion = call.questions.some(({ kind }) => kind === 'input');
    if (isQuestion) return answerQuestion(toolbox, call, { handle, by }, value);
    if (call.stage === 'running' || (registry.isOnEngine && waiting.reason === 'running' && waiting.handle === call.id))
      return bareOutcome('conflict', `${handle} runs: it ends by itself.`);
    if (toolbox.find(call.tool) === undefined) {
      const advice = 'Settle it where its tools are.';
      return bareOutcome('unknown_tool', `${call.tool} is not among the tools here, so its result cannot be checked.`, { advice });
    }
    const outcome = await toOutcome(toolbox, call, value);
    // Not an end: somebody may still settle it.
    if (outcome.status === 'pending') return outcome;
    const written = await askStore(() => endStored(registry, call, outcome));
    if (!written.ok) return bareOutcome('not_ready', `The outcome of ${handle} could not be stored: ${written.why}.`);
    if (written.value.is === 'written') return outcome;
    return (
      (written.value.call && endOf(written.value.call)) ?? bareOutcome('conflict', `${handle} has changed meanwhile; settle it again.`)
    );
  }

  /** Returns the answer to what a call asks in the middle of its tool. */
  async function answerQuestion(
    toolbox: GuardedToolbox,
    call: StoredCall,
    { handle, by }: { readonly handle: string; readonly by: string | undefined },
    given: unknown,
  ): Promise<Outcome> {
    const open = call.questions.filter(({ kind, state }) => kind === 'input' && state === 'open');
    const question = open.find((one) => one.handle === handle) ?? (handle === call.id || handle === call.handle ? open[0] : undefined);
    if (question === undefined) {
      // The process that answered it before may have died.
      void goOn.wakeIfDue(call);
      return bareOutcome('conflict', `${handle} does not ask for anything now.`);
    }
    const read = toQuestionAnswer(given);
    const problem =
      'value' in read ? await findProblem(call, question.handle, (question.ask as { schema?: never }).schema, read.value) : undefined;
    if (problem !== undefined) return bareOutcome('invalid_input', `This does not answer ${handle}: ${problem}.`);
    const answer = {
      ...('value' in read
        ? { value: (read.value ?? null) as never, shown: cutText(toolbox.redact(JSON.stringify(read.value ?? null)), maxAnswer) }
        : { refusal: read.refusal as never }),
      ...(by !== undefined && { by }),
    };
    const place = { tenant: call.tenant, handle: question.handle };
    const answered = await askStore(() => ledger.answer(place, { state: 'answered', answer, wakes: true }));
    if (!answered.ok) return bareOutcome('not_ready', `The answer to ${handle} could not be stored: ${answered.why}.`);
    if (answered.value.is !== 'answered') {
      // Another process was faster, and this one has the context of the call.
      void goOn.wakeIfDue(call);
      return bareOutcome('conflict', `${handle} does not ask for anything now.`);
    }
    const here = registry.held.has(call) ? await goOn.wake(call) : undefined;
    return here ?? toOutcome(toolbox, call, pending({ handle: call.handle, reason: 'running', pollAfterMs: 1000 }));
  }

  /** Finds out what is wrong with an answer: by the schema of the question where this process has it, otherwise by the JSON Schema that is stored with it. */
  async function findProblem(call: StoredCall, question: string, schema: Parameters<typeof findMisfit>[0] | undefined, answer: unknown) {
    if (registry.held.has(call)) return registry.held.check(call, question, answer);
    return schema === undefined ? undefined : findMisfit(schema, answer);
  }
}

/** Turns what ends a stored call into its checked outcome. */
function toOutcome(toolbox: GuardedToolbox, call: StoredCall, returned: unknown): Promise<Outcome> {
  const { input, callId } = readStart(call)?.event ?? { input: {} };
  return toolbox.toOutcome(call.tool, input, returned, { invocationId: call.id, ...(callId !== undefined && { callId }) });
}

/** Answers for a call that is not there, or that its store does not give. */
function missing(handle: unknown, why: string | undefined): Outcome {
  if (typeof handle !== 'string') return bareOutcome('not_found', 'There is no such pending call.');
  const shown = cleanText(handle.slice(0, maxShown));
  return why === undefined
    ? bareOutcome('not_found', `There is no pending call ${shown}.`)
    : bareOutcome('not_ready', `The call ${shown} cannot be read now: ${why}.`);
}

function isSound(given: unknown): given is Outcome {
  return isOutcome(given) && isStoredOutcome(given);
}
