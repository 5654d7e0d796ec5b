import { type GuardedCall, type RecordKey, type Store, unknownStep } from '../../ports/index.ts';
import { type MemoryHead, readHead, readSteps } from './memory-records.ts';

/** A call that runs again because its caller asked for it. */
export interface Rerun {
  /** Where the journal keeps it. */
  readonly by: string;
  /** The name of the first step that is done again. @default the first that has not ended */
  readonly from?: string | undefined;
  /** Names of steps that the journal has seen, whether their ends are recorded or not. */
  readonly seen: readonly string[];
}

/** Says of each thing that a tool asks for whether it is done again, although it was recorded before. */
export type IsRepeated = (epoch: number | undefined, name?: string) => boolean;

/** Notes in the head of a call that a rerun begins. One that goes on after a crash has begun before. */
export function beginRerun(head: MemoryHead, rerun: Rerun | undefined): MemoryHead {
  if (rerun === undefined || head.again?.by === rerun.by) return head;
  const { by, from } = rerun;
  return { ...head, failed: true, again: { by, epoch: head.epoch + 1, ...(from !== undefined && { from }) } };
}

/** Makes the function that decides which steps are done again: all from a named step on, counted from the start in each attempt. */
export function createIsRepeated(call: Pick<GuardedCall, 'attempts'>, head: () => MemoryHead): IsRepeated {
  let attempt = 0;
  let isPast = false;
  return (epoch, name) => {
    const { again } = head();
    if (again?.from === undefined) return false;
    if (attempt !== call.attempts) [attempt, isPast] = [call.attempts, false];
    isPast ||= name === again.from;
    return isPast && epoch !== undefined && epoch < again.epoch;
  };
}

/** Refuses a rerun from a step that the call did not have. Changes nothing. */
export async function checkRerun(store: Store, place: RecordKey, rerun: Rerun | undefined): Promise<void> {
  if (rerun?.from === undefined) return;
  const found = await store.get(place);
  const head = found && readHead(found);
  const ended = head === undefined ? [] : [...(await readSteps(store, place.tenant, head)).ended.keys()];
  const recorded = [...ended, ...Object.keys(head?.begun ?? {})].map((id) => id.slice(id.indexOf(':') + 1));
  const failure = unknownStep(rerun.from, [...rerun.seen, ...recorded.filter((name) => !name.startsWith('~'))]);
  if (failure !== undefined) throw failure;
}
