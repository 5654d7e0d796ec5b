import type { JsonObject, JsonValue, Outcome } from 'toolpact';
import type {
  CallEnd,
  CallPlace,
  CallState,
  Ledger,
  ListedCall,
  NewCall,
  NewQuestion,
  RunPlace,
  StoredCall,
  TakenCall,
  Wait,
} from 'toolpact/extend';
import type { Check, Problem } from '../define-check.ts';
import { defineStoreCheck, type StoreCheckDefinition, type StoreSubject, type Trial } from './store-check.ts';

export const minute = 60_000;
export const hour = 60 * minute;

/** A ledger under judgement. Its tenant, tools and processes are those of one check alone. */
export interface LedgerTrial extends Omit<Trial, 'at' | 'draft'> {
  readonly calls: Ledger;
  readonly tool: string;
  /** Names a process; one that was not made `alive` is dead. */
  readonly process: (name: string) => string;
  /** Gives a process a long lease, or one as long as stated. */
  readonly alive: (name: string, leaseMs?: number) => Promise<void>;
  /** Makes a call of the trial's own tenant, which process `p` begins and about which something is promised. */
  readonly draft: (id: string, rest?: Partial<NewCall>) => NewCall;
  readonly at: (id: string) => CallPlace;
  readonly run: (id: string, epoch?: number) => RunPlace;
  /** Begins a call, and throws where that is refused. */
  readonly begin: (id: string, rest?: Partial<NewCall>) => Promise<RunPlace>;
  /** Lets a new call wait, for a question of the handle `q <id>` unless stated otherwise. */
  readonly beginWaiting: (id: string, wait?: Partial<Wait>, rest?: Partial<NewCall>) => Promise<RunPlace>;
  readonly get: (id: string) => Promise<StoredCall | undefined>;
  readonly look: (id: string) => Promise<CallState | undefined>;
  /** Takes what is due among the tools of the trial. */
  readonly takeDue: (process: string, rest?: { readonly limit?: number; readonly graceMs?: number }) => Promise<readonly TakenCall[]>;
}

/** A check of a ledger as its author writes it. */
export interface LedgerCheckDefinition extends Omit<StoreCheckDefinition, 'run'> {
  readonly run: (trial: LedgerTrial) => AsyncIterable<Problem>;
}

/** Defines a check of a ledger; a store without one passes. */
export function defineLedgerCheck({ id, requirement, level, run }: LedgerCheckDefinition): Check<StoreSubject> {
  return defineStoreCheck({
    id,
    requirement,
    ...(level && { level }),
    async *run(trial) {
      if (trial.store.calls !== undefined) yield* run(toLedgerTrial(trial, trial.store.calls));
    },
  });
}

/** Creates the trial of a ledger, which may be another connection to the same store. */
export function toLedgerTrial(trial: Trial, calls: Ledger): LedgerTrial {
  const { tenant } = trial;
  const tool = `tool of ${tenant}`;
  const process = (name: string) => `${name} of ${tenant}`;
  const draft: LedgerTrial['draft'] = (id, rest) => ({
    tenant,
    id,
    tool,
    process: process('p'),
    isPromised: true,
    origin: id,
    listed: listedAs({ id, tool, tenantId: tenant, status: 'running' }),
    by: { begunAt: 1000 },
    start: { input: { id } },
    keepMs: hour,
    ...rest,
  });
  const at = (id: string) => ({ tenant, id });
  const begin: LedgerTrial['begin'] = async (id, rest) => {
    const begun = await calls.begin(draft(id, rest));
    if (begun.is !== 'begun') throw new Error(`A new call cannot begin: it is ${begun.is}.`);
    return { ...at(id), epoch: begun.epoch };
  };
  return {
    ...trial,
    calls,
    tool,
    process,
    alive: async (name, leaseMs = minute) => void (await calls.heartbeat({ process: process(name), leaseMs, ranMs: hour })),
    draft,
    at,
    run: (id, epoch = 1) => ({ tenant, id, epoch }),
    begin,
    beginWaiting: (id, wait, rest) => begin(id, { wait: waitFor(`q ${id}`, wait), ...rest }),
    get: (id) => calls.get(tenant, id),
    look: async (id) => (await calls.look([at(id)]))[0],
    takeDue: (name, { limit = 100, graceMs } = {}) =>
      calls.takeDue({ process: process(name), tools: [tool], limit, ...(graceMs !== undefined && { graceMs }) }),
  };
}

/** Returns the listed form of a call. */
export function listedAs(rest: Partial<ListedCall>): ListedCall {
  return {
    id: 'a',
    tool: 'tool',
    status: 'ok',
    begunAt: '2026-01-01T00:00:00.000Z',
    attempts: 1,
    tenantId: 'tenant',
    traceId: 'trace',
    ...rest,
  };
}

/** Creates an outcome that can be told from others. */
export function outcomeOf(data: JsonValue): Outcome {
  return { status: 'ok', data, meta: { tookMs: 1, attempts: 1 } } as Outcome;
}

/** Creates the end of a call. */
export function endWith(data: JsonValue, rest?: Partial<CallEnd>): CallEnd {
  return { outcome: outcomeOf(data), listed: listedAs({ message: JSON.stringify(data) }), keepsSteps: false, ...rest };
}

/** Creates a wait for one question, or for none where the handle is undefined. */
export function waitFor(handle: string | undefined, rest?: Partial<Wait>): Wait {
  return {
    questions: handle === undefined ? [] : [question(handle)],
    outcome: { status: 'pending', pending: { handle: handle ?? 'none', reason: 'approval' }, meta: { tookMs: 1, attempts: 0 } } as Outcome,
    listed: listedAs({ status: 'pending' }),
    ...rest,
  };
}

/** Creates a question whose id is its handle. */
export function question(handle: string, rest?: Partial<NewQuestion>): NewQuestion {
  return { handle, kind: 'approval', id: handle, ask: { message: `May ${handle}?` }, ...rest };
}

/** Yields a problem where what was got lacks what is wanted. Fields that are not wanted do not count; a field wanted as undefined must be absent. */
export function* differs(message: string, got: unknown, wanted: unknown): Generator<Problem> {
  if (!hasParts(got, wanted)) yield { message, evidence: { got, wanted } };
}

function hasParts(got: unknown, wanted: unknown): boolean {
  if (Object.is(got, wanted)) return true;
  if (typeof got !== 'object' || typeof wanted !== 'object' || got === null || wanted === null) return false;
  if (Array.isArray(wanted))
    return Array.isArray(got) && got.length === wanted.length && wanted.every((part, index) => hasParts(got[index], part));
  return Object.entries(wanted).every(([key, part]) => hasParts((got as JsonObject)[key], part));
}
