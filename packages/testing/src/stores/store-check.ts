import type { PutResult, RecordDraft, RecordKey, Store } from 'toolpact/extend';
import { type Check, defineCheck, type Level, type Problem } from '../define-check.ts';
import { limitCheck } from '../limit-check.ts';

/** A store to be judged: how it is opened and how time passes for it. */
export interface StoreSubject {
  readonly createStore: () => Promise<Store>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** A store under judgement, and the tenant and records of one check. */
export interface Trial extends StoreSubject {
  readonly store: Store;
  /** No other check uses it. */
  readonly tenant: string;
  /** Names a record of the trial's own tenant. */
  readonly at: (key: string, space?: string) => RecordKey;
  /** Creates a record of the trial's own tenant. */
  readonly draft: (key: string, rest?: Partial<RecordDraft>) => RecordDraft;
  /** Opens the store once more; it is closed with the trial. */
  readonly reopen: () => Promise<Store>;
}

/** A check of a store as its author writes it. */
export interface StoreCheckDefinition {
  readonly id: string;
  readonly requirement: string;
  readonly level?: Level;
  readonly run: (trial: Trial) => AsyncIterable<Problem>;
}

let trials = 0;

/** Defines a check that opens the store, tries something for a tenant of its own and closes it; what takes too long is a finding. */
export function defineStoreCheck({ id, requirement, level = 'must', run }: StoreCheckDefinition): Check<StoreSubject> {
  return defineCheck<StoreSubject>({
    id,
    requirement,
    level,
    run: (subject) => limitCheck(tryStore(subject, run)),
  });
}

/** Checks whether a write succeeded with this version. */
export function isWritten(result: PutResult, version: number): boolean {
  return result.ok && result.version === version;
}

/** Asks a store; gives its answer, or says that it failed: what it throws at once counts like what it rejects with. */
export async function settle<TValue>(ask: () => Promise<TValue>): Promise<{ readonly value?: TValue; readonly failed: boolean }> {
  try {
    return { value: await ask(), failed: false };
  } catch {
    return { failed: true };
  }
}

async function tryStore(subject: StoreSubject, run: StoreCheckDefinition['run']): Promise<Problem[]> {
  const opened: Store[] = [];
  const open = async () => {
    const store = await subject.createStore();
    opened.push(store);
    return store;
  };
  trials += 1;
  const tenant = `check-store ${subject.now()} ${trials} ${Math.random()}`;
  const at: Trial['at'] = (key, space = 'check') => ({ space, tenant, key });
  const draft: Trial['draft'] = (key, rest) => ({ value: { v: 1 }, ...at(key), ...rest });
  const found: Problem[] = [];
  try {
    for await (const problem of run({ ...subject, store: await open(), tenant, at, draft, reopen: open })) found.push(problem);
  } catch (thrown) {
    found.push({ message: `it threw instead of answering: ${String(thrown)}` });
  } finally {
    for (const store of opened) await store.close();
  }
  return found;
}
