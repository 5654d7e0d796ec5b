import { fail } from '../../../core/outcome/index.ts';
import {
  type CallMemory,
  fromStepRecord,
  type GuardedCall,
  type StepEnd,
  type StepEntry,
  toStepRecord,
} from '../../../core/runtime/index.ts';
import { askStore } from '../store-access/ask-store.ts';
import { tryLater } from '../store-access/try-later.ts';
import type { Begun } from './memory-records.ts';
import { createMemoryState, hasDoubt, type MemoryParts, type Opened } from './memory-state.ts';
import { createMemoryWaits, type MemoryWaits } from './memory-waits.ts';

/** The memory of one call in a store, as the guards of the call see it. */
export interface StoredMemory extends CallMemory, Pick<MemoryWaits, 'suspension'> {
  /** Checks whether this run goes on with a call whose tool has begun: what had to be allowed was allowed then. */
  readonly hasBegun: () => Promise<boolean>;
  /** Checks whether a step that writes may have taken effect in an earlier run without a recorded end. Changes nothing. */
  readonly isDoubtful: () => Promise<boolean>;
  /** Says that no doubtful step took effect. */
  readonly clearDoubts: () => void;
  /** Notes how the call ended: after a failure the next run is a new attempt, after a success there is nothing left to remember. */
  readonly conclude: (isFailure: boolean) => Promise<void>;
}

/** Guards of one call find its memory in the notes of the call under this name. */
const noteName = 'step-memory';

/** Gives the memory of a call, where it has one. */
export function memoryOf(call: GuardedCall): StoredMemory | undefined {
  return call.notes.get(noteName) as StoredMemory | undefined;
}

/** Gives a call a memory in a store. */
export function rememberSteps(parts: MemoryParts): StoredMemory {
  const memory = createMemory(parts);
  parts.call.notes.set(noteName, memory);
  parts.call.remember(memory);
  return memory;
}

function createMemory(parts: MemoryParts): StoredMemory {
  const { store, call, origin, isRepeat } = parts;
  const { tool } = call;
  const memory = createMemoryState(parts);
  const waits = createMemoryWaits(parts, memory);
  const asked = new Set<string>();
  const unreadable = `The steps of ${tool.name} cannot be read`;
  let { isCleared } = parts;
  const attemptOf = (state: Opened, attempt: number): number => state.attempt + attempt - 1;

  async function record(state: Opened, entry: StepEntry, end: StepEnd): Promise<StepEnd> {
    const attempt = attemptOf(state, entry.attempt);
    const made = toStepRecord(entry, end);
    await memory.writeEntry({ id: entry.id, name: entry.name, attempt, record: made }, end.effect);
    const read = fromStepRecord(made) as StepEnd;
    state.ended.set(entry.id, { name: entry.name, attempt, end: read });
    state.doubtful.delete(entry.id);
    // In this process the error itself is thrown on; what is too large to be kept has become another one.
    return 'thrown' in end ? end : read;
  }

  /** Decides about a step that may have taken effect: gives its end, or undefined where it may run. */
  async function settleDoubt(state: Opened, entry: StepEntry): Promise<StepEnd | undefined> {
    const found = isCleared ? { effect: 'none' as const } : await entry.reconcile?.();
    if (found?.effect === 'applied') return record(state, entry, { value: found.data, failed: false, effect: 'applied' });
    if (found?.effect === 'none') return undefined;
    const message = `The step "${entry.name}" of ${tool.name} was interrupted, and it is not known whether it took effect. It was not run again.`;
    return { thrown: fail('interrupted', message, { effect: 'unknown', details: { step: entry.name } }), failed: true, effect: 'unknown' };
  }

  async function step(entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
    const state = await memory.open();
    const { id, effects } = entry;
    const attempt = attemptOf(state, entry.attempt);
    asked.add(id);
    const known = state.ended.get(id);
    const isInDoubt = state.doubtful.has(id);
    if (known !== undefined && !isInDoubt && (!known.end.failed || known.attempt === attempt)) return known.end;
    if (effects === 'writes') {
      const mayHaveWritten = known?.end.failed && known.end.effect !== 'none';
      const settled = isInDoubt || mayHaveWritten ? await settleDoubt(state, entry) : undefined;
      if (settled !== undefined) return settled;
      const begun: Begun = [state.head.epoch, attempt];
      state.doubtful.set(id, begun);
    }
    let end: StepEnd;
    try {
      if (effects === 'writes') await memory.changeHead();
      end = await execute();
    } catch (thrown) {
      // It did not begin.
      state.doubtful.delete(id);
      throw thrown;
    }
    return record(state, entry, end);
  }

  return {
    get callName() {
      return call.key === undefined && call.context.idempotencyKey === undefined ? origin : undefined;
    },
    open: memory.open,
    step,
    sleep: waits.sleep,
    waitFor: waits.waitFor,
    suspension: waits.suspension,
    effect() {
      const opened = memory.opened();
      const ends = [...(opened?.ended.values() ?? [])].map(({ end }) => end.effect);
      if ((opened?.doubtful.size ?? 0) > 0 || ends.includes('unknown')) return 'unknown';
      return ends.includes('applied') ? 'applied' : 'none';
    },
    unasked: () => [...(memory.opened()?.ended ?? [])].find(([id]) => !asked.has(id) && !waits.isWait(id))?.[1].name,
    hasBegun: async () => isRepeat && (await memory.insist(() => store.get(memory.place()), unreadable, 'unknown')) !== undefined,
    isDoubtful: () => memory.insist(() => hasDoubt(store, memory.place()), unreadable, 'unknown'),
    clearDoubts() {
      isCleared = true;
    },
    async conclude(isFailure) {
      const state = memory.opened();
      if (state === undefined || (isFailure && state.head.failed)) return;
      if (isFailure) return memory.changeHead({ failed: true }).catch(() => undefined);
      const remove = async () => (await askStore(() => store.remove(memory.place(), state.version))).ok;
      if (!(await remove())) void tryLater(remove, 2000);
    },
  };
}
