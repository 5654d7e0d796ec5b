import type { Pending } from '../../../core/outcome/index.ts';
import { type CallMemory, type ShownQuestion, toQuestion } from '../../../core/runtime/index.ts';
import { suspendPendingCall } from '../store-access/pending-calls.ts';
import { entryPlace } from './memory-records.ts';
import type { MemoryParts, MemoryState, Opened } from './memory-state.ts';
import { openCall } from './open-calls.ts';

/** A call that sleeps or waits. */
export interface Suspension {
  readonly handle: string;
  /** When it goes on by itself, in epoch milliseconds. */
  readonly wakeAt?: number;
  /** Checks an answer to what it asks; gives what is wrong with it. */
  readonly check?: (answer: unknown) => Promise<string | undefined>;
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

/** The longest pause between two looks at a call that sleeps. */
const longestPollMs = 60_000;

/** Makes the sleeps and questions of one call. */
export function createMemoryWaits({ store, call, origin, owner, now, expiresAt }: MemoryParts, memory: MemoryState): MemoryWaits {
  const { tenantId: tenant, tool } = call;
  const ids = new Set<string>();
  let suspended: Suspension | undefined;
  let asked:
    | { readonly question: ShownQuestion; readonly id: string; readonly problem: string | undefined; readonly epoch: number }
    | undefined;
  let wakeAt: number | undefined;
  let suspending: Promise<unknown> = Promise.resolve();

  /** Stores that the call waits, for those who answer it and for those who wake it; gives how it answers meanwhile. */
  async function suspend(state: Opened): Promise<Pending> {
    const handle = state.head.handle ?? `call_${crypto.randomUUID()}`;
    if (state.head.handle === undefined) await memory.changeHead({ handle });
    const { remainingMs } = call;
    const pollAfterMs = wakeAt === undefined ? undefined : Math.min(longestPollMs, Math.max(1000, wakeAt - now()));
    const message = asked && (asked.problem === undefined ? asked.question.message : `${asked.question.message} (${asked.problem})`);
    const pending = {
      handle,
      reason: asked === undefined ? ('running' as const) : ('input' as const),
      ...(message !== undefined && { ask: { message, ...(asked?.question.schema && { schema: asked.question.schema }) } }),
      ...(pollAfterMs !== undefined && { pollAfterMs }),
    };
    const question = asked && {
      id: asked.id,
      key: entryPlace(tenant, { run: state.head.run, epoch: asked.epoch }, asked.id).key,
      group: state.head.run,
    };
    const open = { tenant, key: origin, tool: tool.name, owner, handle, suspended: true, remainingMs } as const;
    const what = `${tool.name} cannot wait: the store does not answer`;
    await memory.insist(
      () => suspendPendingCall(store, call, pending, { key: origin, ...(question && { question }) }, expiresAt()),
      what,
      'none',
    );
    await memory.insist(() => openCall(store, { ...open, ...(wakeAt !== undefined && { wakeAt }) }, expiresAt()), what, 'none');
    const check = asked?.question.check;
    suspended = {
      handle,
      remainingMs,
      ...(wakeAt !== undefined && { wakeAt }),
      ...(check && { check: async (answer: unknown) => problemOf(await check(answer)) }),
    };
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
      const until = state.waits.get(id)?.until ?? now() + ms;
      if (!state.waits.has(id)) {
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
      const refused = state.ended.get(id)?.end;
      if (refused !== undefined) throw refused.thrown;
      const known = state.waits.get(id);
      const checked = known?.answer && (await question.check(known.answer.value));
      if (checked !== undefined && 'answer' in checked) return checked;
      // The answer that does not fit is forgotten, and the question asked again.
      const problem = checked && problemOf(checked);
      if (known === undefined || problem !== undefined) await memory.writeEntry({ id, name: given.name, attempt: state.attempt }, 'none');
      const epoch = problem === undefined ? (known?.epoch ?? state.head.epoch) : state.head.epoch;
      asked ??= { question, id, problem, epoch };
      return suspendInTurn(state);
    },
  };
}

function problemOf(checked: Awaited<ReturnType<ShownQuestion['check']>>): string | undefined {
  return 'problem' in checked ? checked.problem : undefined;
}
