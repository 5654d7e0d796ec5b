import { callNotes, type EngineRun, type GuardedCall, type StoredQuestion, type StoredStep, type Suspension } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { askStore } from '../store/ask-store.ts';
import type { LiveCall } from './live-call.ts';
import { type RunMemory, worstEffect } from './step-memory.ts';

/** Options of a run on an engine. */
export interface EngineRunParts {
  readonly registry: Pick<CallRegistry, 'ledger'>;
  readonly call: GuardedCall;
  readonly live: LiveCall;
  readonly steps: readonly StoredStep[];
  readonly questions: readonly StoredQuestion[];
  readonly origin: string;
  readonly from?: string | undefined;
  readonly isCancelled: boolean;
  /** Whether the engine may have had the call before this process took it. */
  readonly wasBegun: () => boolean;
  /** Hears that the engine may have the call. */
  readonly onBegin: () => void;
}

/** The longest pause between two tries to store a step. */
const longestPauseMs = 10_000;

/** Lets the engine of a toolbox know what it runs; gives what is asked about the steps of that run. */
export function beginEngineRun(parts: EngineRunParts): RunMemory {
  const { registry, call, live, steps, questions, origin, from, isCancelled, wasBegun, onBegin } = parts;
  const { ledger } = registry;
  let suspended: Suspension | undefined;
  let isCleared = false;
  let isTold = false;
  const isDoubtful = (step: StoredStep): boolean => worstEffect([step]) === 'unknown';

  /** Without its steps the call must not end: a rerun would do them again. Where this process dies, whoever takes the call over finds them in the engine. */
  async function keepTrying(put: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = 20; !live.isLost(); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if ((await askStore(put)).ok) return;
      await sleep(pauseMs, undefined, { background: true });
    }
  }

  const run: EngineRun = {
    place: live.place,
    origin,
    steps: () => (isCleared ? steps.filter((step) => !isDoubtful(step)) : steps),
    questions,
    from,
    isCancelled,
    isLost: live.isLost,
    hasBegun: wasBegun,
    begin: onBegin,
    async keep(ended) {
      isTold = true;
      for (const { id, name, record } of ended) {
        const end = record === undefined ? { sleepMs: 1 } : { record: record as never };
        await keepTrying(() => ledger.stepEnd(live.place, { id, name, attempt: 1, ...end }));
      }
    },
    suspend(suspension) {
      suspended = suspension;
    },
  };
  call.notes.set(callNotes.engineRun, run);
  const memory: RunMemory = {
    suspension: () => suspended,
    isDoubtful: () => steps.some(isDoubtful),
    clearDoubts() {
      isCleared = true;
    },
    effect: () => worstEffect(run.steps()),
    isTold: () => isTold,
  };
  live.remember(memory);
  return memory;
}
