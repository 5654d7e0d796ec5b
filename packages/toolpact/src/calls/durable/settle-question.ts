import { findMisfit } from '../../contract/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { type Store, toQuestionAnswer } from '../../ports/index.ts';
import { maxTries } from '../store-access/ask-store.ts';
import { type PendingCall, pendingKey, readPendingCall, type StoredQuestion } from '../store-access/pending-calls.ts';
import { announceChange } from '../store-access/pending-changes.ts';
import { isAnswered, type MemoryEntry } from './memory-records.ts';
import { changeOpenCall, lookAgainMs } from './open-calls.ts';

/** What the journal of a store does with the answer to a question. */
export interface QuestionSettler {
  /** Checks whether this process began the call, so that it has the schema of the question itself. */
  readonly has: (tenant: string, key: string) => boolean;
  /** Gives what is wrong with an answer. */
  readonly check: (tenant: string, key: string, question: string, answer: unknown) => Promise<string | undefined>;
  /** Goes on with a call that this process began; undefined where a worker has to. */
  readonly goOn: (tenant: string, key: string) => Promise<Outcome | undefined>;
}

/** By store: `settle` belongs to the guard that defers, calls with questions to the journal. */
const settlers = new WeakMap<Store, QuestionSettler>();

/** Makes a journal the one that takes the answers for the calls of its store. */
export function takeAnswers(store: Store, settler: QuestionSettler): void {
  settlers.set(store, settler);
}

/** What became of an answer: the outcome of the call where it went on here, what is wrong with it, or nothing to say yet. */
export type Answered = { readonly outcome: Outcome } | { readonly problem: string } | { readonly is: 'stored' | 'late' };

/**
 * Gives the answer to what a call asks in the middle of its tool: a value, or a failure, which the tool then gets. Only the first counts.
 * `handle` is that of the question, or of the call where it asks but one thing or the first is meant. Throws where the store does.
 */
export async function settleQuestion(store: Store, tenant: string, handle: string, call: PendingCall, given: unknown): Promise<Answered> {
  const { key, questions = [] } = call.suspended ?? { key: '' };
  const question = handle === call.pending.handle ? questions[0] : questions.find((asked) => asked.handle === handle);
  if (question === undefined) return { is: 'late' };
  const settler = settlers.get(store);
  const read = toQuestionAnswer(given);
  const problem = 'value' in read ? await findProblem(settler, tenant, key, question, read.value) : undefined;
  if (problem !== undefined) return { problem };
  const at = { ...question.answerAt, tenant };
  const record = await store.get(at);
  const entry = (record?.value ?? {}) as unknown as MemoryEntry;
  if (record === undefined) return { is: 'late' };
  const wake = async (): Promise<Outcome | undefined> => {
    await noteAnswered(store, tenant, call.pending.handle, question.handle);
    await changeOpenCall(store, tenant, key, () => ({ wakeAt: 0 }));
    return settler?.goOn(tenant, key);
  };
  if (isAnswered(entry)) {
    // Whoever answered it may have died before the call was woken.
    await wake();
    return { is: 'late' };
  }
  const answer = 'value' in read ? { answer: { value: read.value ?? null } } : { record: read.refusal };
  const { version, seq: _seq, value: _value, ...place } = record;
  // Before the answer is there: if this process dies with the next write, a worker finds the answer all the same.
  await changeOpenCall(store, tenant, key, ({ wakeAt }) => ({
    wakeAt: Math.min(wakeAt ?? Number.POSITIVE_INFINITY, Date.now() + lookAgainMs),
  }));
  if (!(await store.put({ ...place, value: { ...entry, ...answer } as never }, version)).ok) return { is: 'late' };
  const outcome = await wake();
  return outcome === undefined ? { is: 'stored' } : { outcome };
}

/** Finds out what is wrong with an answer: by the schema of the question where this process has it, otherwise by the JSON Schema that is stored with the question. */
async function findProblem(
  settler: QuestionSettler | undefined,
  tenant: string,
  key: string,
  { id, ask }: StoredQuestion,
  answer: unknown,
): Promise<string | undefined> {
  if (settler?.has(tenant, key)) return settler.check(tenant, key, id, answer);
  return ask.schema && findMisfit(ask.schema, answer);
}

/** Takes a question off the record of its call, which then asks what is left, or runs again. */
async function noteAnswered(store: Store, tenant: string, call: string, question: string): Promise<void> {
  const at = pendingKey(tenant, call);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = await store.get(at);
    const known = readPendingCall(record);
    if (record === undefined || known?.suspended === undefined || known.outcome !== undefined) return;
    const { version, seq: _seq, value: _value, ...place } = record;
    const questions = (known.suspended.questions ?? []).filter(({ handle }) => handle !== question);
    const pending = questions[0]
      ? { ...known.pending, ask: questions[0].ask }
      : { handle: known.pending.handle, reason: 'running', pollAfterMs: 1000 };
    const suspended = { key: known.suspended.key, ...(questions.length > 0 && { questions }) };
    if (!(await store.put({ ...place, value: { ...known, pending, suspended } as never }, version)).ok) continue;
    return void announceChange(store, tenant, call);
  }
}
