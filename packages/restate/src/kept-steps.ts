import type { JsonValue } from 'toolpact';
import { type EngineStep, fromStepRecord, type StepEnd, type StepEntry, type StepRecord, type StoredStep } from 'toolpact/extend';
import type { Effect } from 'toolpact/internal';
import type { KeptRecords } from './call-request.ts';

/** The known steps, sleeps and questions of a call: left by earlier calls of its name, or recorded by this one. */
export interface KeptSteps {
  /** Begins a run of the tool from its top. */
  readonly restart: () => void;
  /** Returns how something ended in an earlier call that the tool asks for now; undefined where it has not, or is done again. */
  readonly ask: (id: string, step?: Pick<StepEntry, 'name' | 'attempt'>) => StepEnd | undefined;
  readonly keep: (id: string, record: StepRecord) => void;
  /** Says why a step that writes must not just run: it has returned before, or may have taken effect. */
  readonly doubtOf: (id: string) => 'returned' | 'unknown' | undefined;
  readonly effect: () => Effect;
  /** Names a step of an earlier call that this run of the tool has not asked for. */
  readonly unasked: () => string | undefined;
  /** Returns all of it, for the next call of the same name. */
  readonly records: () => KeptRecords;
}

/** Opens what earlier calls left. With `from`, what the tool asks for from that step on is done again. */
export function createKeptSteps(earlier: KeptRecords, from: string | undefined): KeptSteps {
  const records = new Map<string, StepRecord>();
  const before = new Map<string, StepEnd>();
  for (const [id, record] of Object.entries(earlier)) {
    const end = fromStepRecord(record);
    if (end === undefined) continue;
    records.set(id, record);
    before.set(id, end);
  }
  const asked = new Set<string>();
  let attempt = 1;
  let isPast = false;
  const isDoubtful = ({ failed, effect }: StepRecord | StepEnd): boolean => failed && effect !== 'none';
  return {
    restart() {
      asked.clear();
      [attempt, isPast] = [1, false];
    },
    ask(id, step) {
      asked.add(id);
      if (step !== undefined && step.attempt !== attempt) [attempt, isPast] = [step.attempt, false];
      isPast ||= from !== undefined && step?.name === from;
      const end = before.get(id);
      return isPast || end?.failed === true ? undefined : end;
    },
    keep: (id, record) => void records.set(id, record),
    doubtOf(id) {
      const record = records.get(id);
      if (record === undefined) return undefined;
      if (!record.failed) return 'returned';
      return isDoubtful(record) ? 'unknown' : undefined;
    },
    effect() {
      const effects = [...records.values()].map(({ effect }) => effect);
      if (effects.includes('unknown')) return 'unknown';
      return effects.includes('applied') ? 'applied' : 'none';
    },
    unasked() {
      // A rerun may take another way, and so may a call after a failed one; not around what changed the outside world, or may have.
      const mayLeave = ({ failed, effect }: StepEnd): boolean => effect === 'none' && (failed || from !== undefined);
      const unaskedStep = [...before].find(([id, end]) => !asked.has(id) && !isWait(id) && !mayLeave(end));
      return unaskedStep && nameOf(unaskedStep[0]);
    },
    records: () => Object.fromEntries(records),
  };
}

/** Reads what the store keeps of the steps, the sleeps and the answered questions of a call. */
export function toKeptRecords(
  steps: readonly StoredStep[],
  questions: readonly { readonly id: string; readonly answer?: unknown }[],
): KeptRecords {
  const records: Record<string, StepRecord> = {};
  for (const { id, record, leftMs } of steps) {
    if (leftMs === undefined) records[id] = record as never;
    else if (leftMs <= 0) records[id] = waitRecord(null);
  }
  // A refusal is no answer to go on with: it is asked for again.
  for (const { id, answer } of questions)
    if (answer !== null && typeof answer === 'object' && 'value' in answer) records[id] = waitRecord(answer.value);
  return records;
}

/** Returns what the store keeps of records: answers to questions lie there already. */
export function toEngineSteps(records: KeptRecords): readonly EngineStep[] {
  return Object.entries(records).flatMap(([id, record]): readonly EngineStep[] => {
    const name = nameOf(id);
    if (!isWait(id)) return [{ id, name, record }];
    return name === '~sleep' ? [{ id, name: 'sleep' }] : [];
  });
}

/** Creates the record of a sleep that is over, or of a question that was answered. */
export function waitRecord(answer: unknown): StepRecord {
  return { v: 1, failed: false, effect: 'none', value: (answer ?? null) as JsonValue };
}

function nameOf(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}

/** Sleeps and questions have names that no step can have. */
function isWait(id: string): boolean {
  return nameOf(id).startsWith('~');
}
