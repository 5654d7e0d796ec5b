import type { ProblemLog } from 'toolpact/internal';
import type { Change } from './change.ts';
import { applyChange, checkChange, copySliceState, itemsOf, type SliceState } from './slice-state.ts';

/** The writes of one running call. No other call sees them until it succeeds; if it fails they are dropped. */
export interface Transaction {
  /** The call that made this call, if it did so with its own session. */
  readonly parent: Transaction | undefined;
  readonly changes: { readonly slice: string; readonly change: Change }[];
  /** How many of them were made before the attempt that runs now. */
  kept: number;
  ended: boolean;
}

/** Keeps the writes of running calls apart from each other and from the session. */
export interface Transactions {
  readonly begin: (parent: Transaction | undefined) => Transaction;
  /** Creates the writes so far independent of how the next attempt goes. */
  readonly beginAttempt: (transaction: Transaction | undefined) => void;
  /** Takes back what the attempt wrote: a retry starts from where the failed attempt had started. */
  readonly undoAttempt: (transaction: Transaction | undefined) => void;
  /** Reads a slice as the call sees it: what is there, and its own writes on top. */
  readonly read: (transaction: Transaction, slice: string) => SliceState;
  /** Adds a write; false when the call is over, or another call holds the slice for its own compare-and-set. */
  readonly write: (transaction: Transaction, slice: string, change: Change) => boolean;
  /** Creates the writes real, all or none; false when another writer came first. */
  readonly commit: (transaction: Transaction) => boolean;
  readonly rollback: (transaction: Transaction) => void;
}

/** Creates the transactions over a session's slices. `commitChange` makes one change real. */
export function createTransactions(
  stateOf: (slice: string) => SliceState,
  commitChange: (slice: string, change: Change) => boolean,
  problems: ProblemLog,
): Transactions {
  const holders = new Map<string, Transaction>();

  function read(transaction: Transaction, slice: string): SliceState {
    const base = transaction.parent === undefined ? stateOf(slice) : read(transaction.parent, slice);
    const own = transaction.changes.filter((write) => write.slice === slice);
    if (own.length === 0) return base;
    const draft = copySliceState(base);
    for (const { change } of own) applyChange(draft, change);
    return draft;
  }

  function end(transaction: Transaction): void {
    transaction.ended = true;
    release(transaction);
  }

  function release(transaction: Transaction): void {
    for (const [slice, holder] of holders) if (holder === transaction) holders.delete(slice);
  }

  return {
    begin: (parent) => ({ parent, changes: [], kept: 0, ended: false }),
    beginAttempt(transaction) {
      if (transaction !== undefined) transaction.kept = transaction.changes.length;
    },
    undoAttempt(transaction) {
      if (transaction === undefined) return;
      transaction.changes.length = transaction.kept;
      release(transaction);
      for (const { slice, change } of transaction.changes) if (change.op === 'set') holders.set(slice, transaction);
    },
    read,
    write(transaction, slice, change) {
      if (transaction.ended) return false;
      // A write that cannot be applied fails here and now, in the call that made it.
      checkChange(stateOf(slice), change);
      if (change.op === 'set') {
        const holder = holders.get(slice);
        if ((holder !== undefined && !isWithin(transaction, holder)) || read(transaction, slice).version !== change.ifVersion) return false;
        holders.set(slice, transaction);
      }
      transaction.changes.push({ slice, change });
      return true;
    },
    commit(transaction) {
      const { parent, changes } = transaction;
      if (transaction.ended) return false;
      end(transaction);
      // Discard changes of an inner call that ended after its outer call.
      if (parent?.ended === true) return false;
      const compares = changes.some(({ change }) => change.op === 'set');
      const raced = compares
        ? findConflict(transaction, (slice) => (parent === undefined ? stateOf(slice) : read(parent, slice)))
        : undefined;
      if (raced !== undefined) {
        problems.add({ where: `the slice "${raced}"`, error: new Error('another writer came first; the writes of the call were undone') });
        return false;
      }
      // An item may have changed since it was written; if it lost its key, nothing is made real.
      for (const { slice, change } of changes) checkChange(stateOf(slice), change);
      for (const { slice, change } of changes) {
        if (parent === undefined) {
          commitChange(slice, change);
          continue;
        }
        parent.changes.push({ slice, change });
        if (change.op === 'set') holders.set(slice, parent);
      }
      return true;
    },
    rollback: end,
  };
}

function isWithin(transaction: Transaction | undefined, outer: Transaction): boolean {
  return transaction !== undefined && (transaction === outer || isWithin(transaction.parent, outer));
}

function findConflict({ changes }: Transaction, stateOf: (slice: string) => SliceState): string | undefined {
  const drafts = new Map<string, SliceState>();
  for (const { slice, change } of changes) {
    const draft = drafts.get(slice) ?? copySliceState(stateOf(slice));
    drafts.set(slice, draft);
    if (!applyChange(draft, change)) return slice;
  }
  return undefined;
}

/** Reads a slice in the form views want. */
export function toRead(state: SliceState): { readonly items: readonly unknown[]; readonly version: number } {
  return { items: itemsOf(state), version: state.version };
}
