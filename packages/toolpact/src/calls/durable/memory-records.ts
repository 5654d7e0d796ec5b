import { isRecord } from '../../json/index.ts';
import type { Effect } from '../../outcome/index.ts';
import type { RecordKey, StepEnd, Store, StoredRecord } from '../../ports/index.ts';
import { fromStepRecord, type StepRecord } from '../../runtime/index.ts';
import { StoreFault } from '../store-access/ask-store.ts';
import { fingerprint } from '../store-access/fingerprint.ts';
import { listAll } from '../store-access/list-all.ts';

/** Where a step that writes was begun: in which epoch of its call, and in which attempt. */
export type Begun = readonly [epoch: number, attempt: number];

/** What is stored of a call with steps besides its steps. It is small: each step that writes begins by writing it. */
export interface MemoryHead {
  readonly v: 1;
  /** Names the steps that belong to it; another one after the call has ended well. */
  readonly run: string;
  /** Counts the processes that have taken the call. An earlier one cannot write the head any more, so it begins no other step. */
  readonly epoch: number;
  readonly owner: string;
  /** The call that runs with it, or ran last: where the journal keeps that. */
  readonly call?: string;
  /** The approval that let it run. */
  readonly approval?: string;
  /** Whether the call has ended well: its steps are forgotten, and a process that comes too late finds that there is nothing to do. */
  readonly ended?: true;
  /** Counts attempts over all runs. Failures of earlier attempts are forgotten. */
  readonly attempt: number;
  /** Steps that write and were begun; those without a recorded end may have taken effect. */
  readonly begun: Readonly<Record<string, Begun>>;
  /** Whether the call ended as a failure, so that the next run is a new attempt. */
  readonly failed?: true;
  /** The fingerprint of the arguments. */
  readonly print?: string;
  /** How the call answers while it sleeps or waits. */
  readonly handle?: string;
  /** The rerun that is under way. */
  readonly again?: AgainFrom;
}

/** Which steps a rerun does again: those that the tool asks for from a certain one on, as far as they were recorded before. */
export interface AgainFrom {
  /** The call that is the rerun. */
  readonly by: string;
  /** What was recorded in earlier epochs was recorded before the rerun. */
  readonly epoch: number;
  /** The name of the first step that is done again; absent where all that has ended stays. */
  readonly from?: string;
}

/** What is stored of one step, sleep or question. */
export interface MemoryEntry {
  readonly v: 1;
  readonly id: string;
  readonly name: string;
  readonly epoch: number;
  readonly attempt: number;
  /** How a step ended. */
  readonly record?: StepRecord;
  /** When a sleep ends, in epoch milliseconds. */
  readonly until?: number;
  /** What was answered. */
  readonly answer?: { readonly value: unknown };
}

/** A step whose end is recorded. */
export interface KnownStep {
  readonly name: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly end: StepEnd;
}

/** What a memory knows when a run begins. */
export interface KnownSteps {
  readonly ended: Map<string, KnownStep>;
  readonly waits: Map<string, MemoryEntry>;
  /** Steps that write, were begun, and may have taken effect. */
  readonly doubtful: Map<string, Begun>;
  /** The last attempt that recorded anything. */
  readonly attempt: number;
}

/** Gives what the steps of a call did to the outside world, as far as that is known. */
export function effectOf({ ended, doubtful }: Pick<KnownSteps, 'ended' | 'doubtful'>): Effect {
  const effects = [...ended.values()].map(({ end }) => end.effect);
  if (doubtful.size > 0 || effects.includes('unknown')) return 'unknown';
  return effects.includes('applied') ? 'applied' : 'none';
}

/** Names the head of a call: by its key, or by the first of its invocations. */
export function headPlace(tenant: string, name: string): RecordKey {
  return { space: 'steps', tenant, key: name };
}

/** Names the space of the steps of one call. It has one of its own: so they lie side by side, and a store finds them without another index. */
function spaceOf({ run }: Pick<MemoryHead, 'run'>): string {
  return `step/${run}`;
}

/** Names the record of a step. Long names would not fit into the index of every store. */
export function entryPlace(tenant: string, head: Pick<MemoryHead, 'run' | 'epoch'>, id: string): RecordKey {
  return { space: spaceOf(head), tenant, key: `${head.epoch}/${id.length > 200 ? fingerprint(id) : id}` };
}

/** Checks whether a question was answered or refused. */
export function isAnswered(value: unknown): boolean {
  const { answer, record } = (value ?? {}) as Partial<MemoryEntry>;
  return answer !== undefined || record !== undefined;
}

/** Believes a record only if it holds a head. */
export function readHead({ value }: StoredRecord): MemoryHead {
  const head = (value ?? {}) as unknown as Partial<MemoryHead>;
  const isSound = head.v === 1 && typeof head.run === 'string' && typeof head.epoch === 'number' && isRecord(head.begun);
  if (!isSound) throw new StoreFault('the store gave steps that cannot be read here');
  return head as MemoryHead;
}

/** Reads what was recorded under a head. Of several entries of one step the one of the latest epoch counts. */
export async function readSteps(store: Store, tenant: string, head: MemoryHead): Promise<KnownSteps> {
  const ended = new Map<string, KnownStep>();
  const waits = new Map<string, MemoryEntry>();
  let { attempt } = head;
  const records = await listAll((query) => store.list(query), { space: spaceOf(head), tenant });
  const logged = (await store.logs?.read({ tenant, log: head.run })) ?? [];
  for (const value of [...records.map((record) => record.value), ...logged]) {
    const entry = (value ?? {}) as unknown as MemoryEntry;
    if (entry.v !== 1 || typeof entry.id !== 'string') throw new StoreFault('the store gave a step that cannot be read here');
    attempt = Math.max(attempt, entry.attempt);
    const end = fromStepRecord(entry.record);
    if (end === undefined && !((waits.get(entry.id)?.epoch ?? 0) > entry.epoch)) waits.set(entry.id, entry);
    if (end === undefined) continue;
    if (!((ended.get(entry.id)?.epoch ?? 0) > entry.epoch)) ended.set(entry.id, { ...entry, end });
  }
  const doubtful = new Map(
    Object.entries(head.begun).filter(([id, [epoch, tried]]) => {
      const known = ended.get(id);
      return known === undefined || known.epoch < epoch || known.attempt < tried;
    }),
  );
  return { ended, waits, doubtful, attempt };
}
