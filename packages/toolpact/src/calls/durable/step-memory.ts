import { fail } from '../../outcome/index.ts';
import { type CallMemory, changedTool, type GuardedCall, type StepEnd, type StepEntry } from '../../ports/index.ts';
import { fromStepRecord, toStepRecord } from '../../runtime/index.ts';
import { sleep } from '../../time/index.ts';
import { tryLater } from '../store-access/try-later.ts';
import { effectOf, type KnownStep, readHead } from './memory-records.ts';
import { createMemoryState, hasDoubt, type MemoryParts, type Opened } from './memory-state.ts';
import { createMemoryWaits, type MemoryWaits } from './memory-waits.ts';
import { checkRerun, createIsRepeated } from './rerun-steps.ts';

/** The memory of one call in a store, as the guards of the call see it. */
export interface StoredMemory extends CallMemory, Pick<MemoryWaits, 'suspension'> {
  /** Finds out with which run this one would go on; undefined where it begins anew, also after a failure and as a rerun. Changes nothing. */
  readonly findBegun: () => Promise<BegunRun | undefined>;
  /** Checks whether a step that writes may have taken effect in an earlier run without a recorded end. Changes nothing. */
  readonly isDoubtful: () => Promise<boolean>;
  /** Says that no doubtful step took effect. */
  readonly clearDoubts: () => void;
  /** Rejects where the call is a rerun from a step that it did not have. Changes nothing. */
  readonly checkRerun: () => Promise<void>;
  /** Keeps the steps of a call although it has ended well: its end is not stored everywhere. */
  readonly keep: () => void;
  /** Notes how the call ended: after a failure the next run is a new attempt, after a success there is nothing left to remember. */
  readonly conclude: (isFailure: boolean) => Promise<void>;
}

/** A run of a tool that was cut off, sleeps or waits. */
export interface BegunRun {
  /** Whether it was a run of this very call. Otherwise it was one of another call with the same key. */
  readonly isSameCall: boolean;
  /** The approval that let it run. */
  readonly approval?: string | undefined;
}

/** How long a tool that runs again may take to ask for a recorded step, while a new one waits: one look after the other. */
const sideBySideMs = [0, 10, 90, 900];

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
  const { store, call, origin, key, isRepeat, rerun } = parts;
  const { tool } = call;
  const memory = createMemoryState(parts);
  const isAgain = createIsRepeated(call, () => (memory.opened() as Opened).head);
  const waits = createMemoryWaits(parts, memory, isAgain);
  const asked = new Set<string>();
  const unreadable = `The steps of ${tool.name} cannot be read`;
  let { isCleared } = parts;
  let isKept = false;
  const attemptOf = (state: Opened, attempt: number): number => state.attempt + attempt - 1;

  /** Checks whether the journal knows how a call ended. */
  async function hasEnd(of: string | undefined): Promise<boolean> {
    if (of === undefined) return false;
    const at = { space: 'call-end', tenant: call.tenantId, key: of };
    const end = await memory.insist(() => store.get(at), unreadable, 'unknown');
    const { event } = (end?.value ?? {}) as { readonly event?: { readonly outcome?: { readonly status?: unknown } } };
    return event !== undefined && event.outcome?.status !== 'pending';
  }

  async function record(state: Opened, entry: StepEntry, end: StepEnd): Promise<StepEnd> {
    const attempt = attemptOf(state, entry.attempt);
    const made = toStepRecord(entry, end);
    await memory.writeEntry({ id: entry.id, name: entry.name, attempt, record: made }, end.effect);
    const read = fromStepRecord(made) as StepEnd;
    state.ended.set(entry.id, { name: entry.name, epoch: state.head.epoch, attempt, end: read });
    state.doubtful.delete(entry.id);
    // In this process the error itself is thrown on; what is too large to be kept has become another one.
    return 'thrown' in end ? end : read;
  }

  /** Decides about a step that has taken effect, or may have: gives its end, or undefined where it may run. */
  async function settleDoubt(state: Opened, entry: StepEntry, hasReturned: boolean): Promise<StepEnd | undefined> {
    const found = isCleared && !hasReturned ? { effect: 'none' as const } : await entry.reconcile?.();
    if (found?.effect === 'applied') return record(state, entry, { value: found.data, failed: false, effect: 'applied' });
    if (found?.effect === 'none') return undefined;
    return { ...(hasReturned ? notTwice(entry.name, tool.name) : interrupted(entry.name, tool.name)), failed: true };
  }

  /** Names a step that has taken effect, or may have, and that this run has not asked for. */
  function nameLeftBehind({ ended, doubtful }: Opened): string | undefined {
    const took = [...ended].flatMap(([id, { end }]) => (end.effect === 'none' ? [] : [id]));
    const all = isCleared ? took : [...took, ...doubtful.keys()];
    const id = all.find((one) => !asked.has(one) && !waits.isWait(one));
    return id?.slice(id.indexOf(':') + 1);
  }

  /**
   * Looks before a new step begins for one that would be left behind: under another name it would be done twice. A tool that does several
   * things side by side has some time to ask for it.
   */
  async function findLeftBehind(state: Opened): Promise<string | undefined> {
    for (const pauseMs of sideBySideMs) {
      if (nameLeftBehind(state) === undefined) return undefined;
      await sleep(pauseMs, call.signal);
    }
    return nameLeftBehind(state);
  }

  async function step(entry: StepEntry, execute: () => Promise<StepEnd>): Promise<StepEnd> {
    const state = memory.opened() ?? (await memory.open());
    const { id, effects } = entry;
    const attempt = attemptOf(state, entry.attempt);
    asked.add(id);
    const known = state.ended.get(id);
    const isInDoubt = state.doubtful.has(id);
    const isRunAgain = isAgain(known?.epoch, entry.name);
    if (known !== undefined && !isInDoubt && !isRunAgain && (!known.end.failed || known.attempt === attempt)) return known.end;
    const leftBehind = known === undefined && !isInDoubt && effects !== 'none' ? await findLeftBehind(state) : undefined;
    if (leftBehind !== undefined) throw changedTool(tool.name, leftBehind);
    if (effects === 'writes') {
      const hasReturned = known !== undefined && !known.end.failed && !isInDoubt;
      const mayHaveWritten = hasReturned || (known?.end.failed && known.end.effect !== 'none');
      const settled = isInDoubt || mayHaveWritten ? await settleDoubt(state, entry, hasReturned) : undefined;
      if (settled !== undefined) return settled;
      state.doubtful.set(id, [state.head.epoch, attempt]);
    }
    const begun = state.doubtful.get(id);
    let end: StepEnd;
    try {
      if (effects === 'writes') await memory.changeHead();
      end = await execute();
    } catch (thrown) {
      // It did not begin; another attempt may have begun it meanwhile.
      if (state.doubtful.get(id) === begun) state.doubtful.delete(id);
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
      // What another process has done with the call meanwhile is not known here.
      if (parts.wasSilent()) return 'unknown';
      return opened === undefined ? 'none' : effectOf(opened);
    },
    unasked() {
      const state = memory.opened();
      if (state === undefined) return undefined;
      const { again } = state.head;
      const now = attemptOf(state, call.attempts);
      // A rerun may take another way, and so may an attempt after a failure. What changed the outside world, or may have, must be asked for:
      // it would be left behind unseen.
      const mayLeave = ({ epoch, attempt, end }: KnownStep): boolean =>
        end.effect === 'none' && ((end.failed && attempt < now) || (again?.from !== undefined && epoch < again.epoch));
      const ended = [...state.ended].find(([id, known]) => !asked.has(id) && !waits.isWait(id) && !mayLeave(known));
      return ended?.[1].name ?? nameLeftBehind(state);
    },
    async findBegun() {
      const record = await memory.insist(() => store.get(memory.place()), unreadable, 'unknown');
      const head = record && readHead(record);
      if (head === undefined || head.ended) return undefined;
      const { approval } = head;
      if (isRepeat && head.call === key) return { isSameCall: true, approval };
      const isLeft = !head.failed && rerun === undefined && !(await hasEnd(head.call));
      return isLeft ? { isSameCall: false, approval } : undefined;
    },
    isDoubtful: () => memory.insist(() => hasDoubt(store, memory.place()), unreadable, 'unknown'),
    clearDoubts() {
      isCleared = true;
    },
    checkRerun: () => memory.insist(() => checkRerun(store, memory.place(), rerun), unreadable, 'none'),
    keep() {
      isKept = true;
    },
    async conclude(isFailure) {
      const state = memory.opened();
      if (state === undefined || (isFailure ? state.head.failed : isKept)) return;
      if (isFailure) return memory.changeHead({ failed: true, again: undefined }).catch(() => undefined);
      if (!(await memory.forget())) void tryLater(memory.forget, 2000);
    },
  };
}

/** A step whose process died, or that failed without saying what it did. */
function interrupted(step: string, tool: string): Pick<StepEnd, 'thrown' | 'effect'> {
  const message = `The step "${step}" of ${tool} was interrupted, and it is not known whether it took effect. It was not run again.`;
  return { thrown: fail('interrupted', message, { effect: 'unknown', details: { step } }), effect: 'unknown' };
}

/** A step that a rerun would do a second time. */
function notTwice(step: string, tool: string): Pick<StepEnd, 'thrown' | 'effect'> {
  const message = `The step "${step}" of ${tool} took effect in an earlier run, and it was not run again: it writes, and cannot say what became of it.`;
  const advice = 'Run again from a later step, or give this one a `reconcile`.';
  return { thrown: fail('interrupted', message, { effect: 'applied', advice, details: { step } }), effect: 'applied' };
}
