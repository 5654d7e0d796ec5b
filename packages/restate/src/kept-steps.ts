import type { JsonValue } from 'toolpact';
import { fromStepRecord, type StepEnd, type StepEntry, type StepRecord } from 'toolpact/extend';
import type { Effect } from 'toolpact/internal';
import type { KeptRecords } from './call-request.ts';

/** What is known of the steps, sleeps and questions of a call: what earlier calls of its name left, and what this one has recorded. */
export interface KeptSteps {
  /** Begins a run of the tool from its top. */
  readonly restart: () => void;
  /** Gives how something ended in an earlier call that the tool asks for now; undefined where it has not, or is done again. */
  readonly ask: (id: string, step?: Pick<StepEntry, 'name' | 'attempt'>) => StepEnd | undefined;
  readonly keep: (id: string, record: StepRecord) => void;
  /** Says why a step that writes must not just run: it has returned before, or may have taken effect. */
  readonly doubtOf: (id: string) => 'returned' | 'unknown' | undefined;
  /** Says that no doubtful step took effect. */
  readonly clearDoubts: () => void;
  readonly effect: () => Effect;
  /** Names a step of an earlier call that this run of the tool has not asked for. */
  readonly unasked: () => string | undefined;
  /** Gives all of it, for the next call of the same name. */
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
    clearDoubts() {
      for (const [id, end] of before) if (isDoubtful(end) && records.get(id) === earlier[id]) records.delete(id);
    },
    effect() {
      const effects = [...records.values()].map(({ effect }) => effect);
      if (effects.includes('unknown')) return 'unknown';
      return effects.includes('applied') ? 'applied' : 'none';
    },
    unasked() {
      // A rerun may take another way, and so may a call after a failed one; not around what changed the outside world, or may have.
      const mayLeave = ({ failed, effect }: StepEnd): boolean => effect === 'none' && (failed || from !== undefined);
      const found = [...before].find(([id, end]) => !asked.has(id) && !isWait(id) && !mayLeave(end));
      return found && nameOf(found[0]);
    },
    records: () => Object.fromEntries(records),
  };
}

/** Names the steps in records. */
export function stepNames(records: KeptRecords): readonly string[] {
  return Object.keys(records).flatMap((id) => (isWait(id) ? [] : [nameOf(id)]));
}

/** Makes the record of a sleep that is over, or of a question that was answered. */
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
