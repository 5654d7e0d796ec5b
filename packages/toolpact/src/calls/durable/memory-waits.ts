import type { Pending } from '../../outcome/index.ts';
import type { CallMemory, RecordKey, Store } from '../../ports/index.ts';
import { type ShownQuestion, toQuestion } from '../../runtime/index.ts';
import { askStore } from '../store-access/ask-store.ts';
import { suspendPendingCall } from '../store-access/pending-calls.ts';
import { questionHandle } from '../store-access/question-handle.ts';
import { handleNote } from './continued-note.ts';
import { entryPlace, isAnswered } from './memory-records.ts';
import type { MemoryParts, MemoryState, Opened } from './memory-state.ts';
import { lookAgainMs, openCall } from './open-calls.ts';
import type { IsRepeated } from './rerun-steps.ts';

/** A call that sleeps or waits. */
export interface Suspension {
  readonly handle: string;
  /** When it goes on by itself, in epoch milliseconds. */
  readonly wakeAt?: number;
  /** Checks an answer to one of its questions; gives what is wrong with it. */
  readonly check: (id: string, answer: unknown) => Promise<string | undefined>;
  /** Checks whether one of its questions was answered while it was suspended. Throws where the store does. */
  readonly isAnswered: () => Promise<boolean>;
  /** What was left of its time. */
  readonly remainingMs: number;
}

/** The part of a memory with which a call sleeps and waits. */
export interface MemoryWaits extends Required<Pick<CallMemory, 'sleep' | 'waitFor'>> {
  /** Gives how this run was suspended; undefined when it was not. */
  readonly suspension: () => Suspension | undefined;
  /** Recognises the id of a sleep or a question. */
  readonly isWait: (id: string) => boolean;
}

/** A question that is not answered. */
interface Asked {
  readonly question: ShownQuestion;
  /** The question, with what was wrong with the answer before. */
  readonly message: string;
  readonly epoch: number;
}

/** The longest pause between two looks at a call that sleeps. */
const longestPollMs = 60_000;

/** Makes the sleeps and questions of one call. */
export function createMemoryWaits(
  { store, call, key, owner, now, expiresAt }: MemoryParts,
  memory: MemoryState,
  isAgain: IsRepeated,
): MemoryWaits {
  const { tenantId: tenant, tool } = call;
  const ids = new Set<string>();
  let suspended: Suspension | undefined;
  const asked = new Map<string, Asked>();
  let wakeAt: number | undefined;
  let suspending: Promise<unknown> = Promise.resolve();

  /** Stores that the call waits, for those who answer it and for those who wake it; gives how it answers meanwhile. */
  async function suspend(state: Opened): Promise<Pending> {
    const handle = state.head.handle ?? (call.notes.get(handleNote) as string | undefined) ?? `call_${crypto.randomUUID()}`;
    if (state.head.handle === undefined) await memory.changeHead({ handle });
    const { remainingMs } = call;
    const pollAfterMs = wakeAt === undefined ? undefined : Math.min(longestPollMs, Math.max(1000, wakeAt - now()));
    const questions = [...asked].map(
      ([
        id,
        {
          question: { schema },
          message,
          epoch,
        },
      ]) => ({
        // The epoch tells a question from the same one that is asked again, after an answer that did not fit.
        handle: questionHandle(handle, `${id.replace('~wait:', '')}#${epoch}`),
        id,
        answerAt: toAnswerAt(entryPlace(tenant, { run: state.head.run, epoch }, id)),
        ask: { message, ...(schema && { schema }) },
      }),
    );
    const pending = {
      handle,
      reason: questions.length === 0 ? ('running' as const) : ('input' as const),
      ...(questions[0] && { ask: questions[0].ask }),
      ...(pollAfterMs !== undefined && { pollAfterMs }),
    };
    const opened = { tenant, key, tool: tool.name, owner, handle, suspended: true, remainingMs, steps: memory.place().key } as const;
    const what = `${tool.name} cannot wait: the store does not answer`;
    // First: an answer, which is given as soon as the question can be read, wakes the call through this record. Until the question is there,
    // nobody can answer it, so a worker looks after it by itself.
    const written = await memory.insist(
      () => openCall(store, { ...opened, wakeAt: wakeAt ?? now() + lookAgainMs }, expiresAt()),
      what,
      'none',
    );
    await memory.insist(
      () => suspendPendingCall(store, call, pending, { key, ...(questions.length > 0 && { questions }) }, expiresAt()),
      what,
      'none',
    );
    // An answer that came meanwhile has changed the record, and stays there.
    if (wakeAt === undefined && written.ok) await askStore(() => openCall(store, opened, expiresAt(), written.version));
    const open = questions.map(({ id, answerAt }) => ({ id, answerAt: { ...answerAt, tenant }, check: asked.get(id)?.question.check }));
    suspended = toSuspension({ handle, remainingMs, ...(wakeAt !== undefined && { wakeAt }) }, store, open);
    return pending;
  }

  /** One after the other: a tool may begin several waits at once, and the last record says all of them. */
  function suspendInTurn(state: Opened): Promise<Pending> {
    const next = suspending.then(() => suspend(state));
    suspending = next.catch(() => undefined);
    return next;
  }

  return {
    suspension: () => suspended,
    isWait: (id) => ids.has(id),
    async sleep(id, ms) {
      const state = await memory.open();
      ids.add(id);
      const known = isAgain(state.waits.get(id)?.epoch) ? undefined : state.waits.get(id);
      const until = known?.until ?? now() + ms;
      if (known === undefined) {
        const entry = { id, name: 'sleep', attempt: state.attempt, until };
        await memory.writeEntry(entry, 'none');
        state.waits.set(id, { v: 1, epoch: state.head.epoch, ...entry });
      }
      if (until <= now()) return undefined;
      wakeAt = Math.min(until, wakeAt ?? until);
      return suspendInTurn(state);
    },
    async waitFor(id, given) {
      const state = await memory.open();
      const question = toQuestion(given);
      ids.add(id);
      const [refused, asking] = [state.ended.get(id), state.waits.get(id)];
      if (refused !== undefined && !isAgain(refused.epoch)) throw refused.end.thrown;
      const known = isAgain(asking?.epoch) ? undefined : asking;
      const checked = known?.answer && (await question.check(known.answer.value));
      if (checked !== undefined && 'answer' in checked) return checked;
      // The answer that does not fit is forgotten, and the question asked again.
      const problem = checked && problemOf(checked);
      if (known === undefined || problem !== undefined) await memory.writeEntry({ id, name: given.name, attempt: state.attempt }, 'none');
      const epoch = problem === undefined ? (known?.epoch ?? state.head.epoch) : state.head.epoch;
      const message = problem === undefined ? question.message : `${question.message} (${problem})`;
      asked.set(id, { question, message, epoch });
      return suspendInTurn(state);
    },
  };
}

/** A question of a suspended call: where its answer goes, and how an answer is checked. */
interface OpenQuestion {
  readonly id: string;
  readonly answerAt: RecordKey;
  readonly check: ShownQuestion['check'] | undefined;
}

/**
 * Makes what is held of a suspended call. It is made out here because it is held for as long as the call waits: functions that were made inside of
 * the call's memory would hold the call, with all of its arguments.
 */
function toSuspension(
  facts: Pick<Suspension, 'handle' | 'wakeAt' | 'remainingMs'>,
  store: Store,
  questions: readonly OpenQuestion[],
): Suspension {
  return {
    ...facts,
    async check(id, answer) {
      const checked = await questions.find((question) => question.id === id)?.check?.(answer);
      return checked && problemOf(checked);
    },
    async isAnswered() {
      const entries = await Promise.all(questions.map(async ({ answerAt }) => store.get(answerAt)));
      return entries.some((record) => isAnswered(record?.value));
    },
  };
}

function toAnswerAt({ space, key }: RecordKey): Pick<RecordKey, 'space' | 'key'> {
  return { space, key };
}

function problemOf(checked: Awaited<ReturnType<ShownQuestion['check']>>): string | undefined {
  return 'problem' in checked ? checked.problem : undefined;
}
