import type { EventOf } from 'toolpact';
import type { ProblemLog } from 'toolpact/internal';
import type { Transaction, Transactions } from './transactions.ts';

/** The calls that a session has seen begin and not end, each with its transaction. */
export interface OpenCalls {
  readonly get: (call: string) => Transaction | undefined;
  /** Opens the transaction of a call, inside that of the call that made it. */
  readonly begin: (call: string, outer: Transaction | undefined) => void;
  /** Ends the transaction of a call as the call ended, and gives it. */
  readonly settle: (event: EventOf<'call-end'>) => Transaction | undefined;
  readonly count: () => number;
}

/** The most calls that may be open at once; an end that never comes must not keep memory for ever. */
const maxOpenCalls = 10_000;

/** Creates the table of the open calls of a session. */
export function createOpenCalls(transactions: Transactions, problems: ProblemLog): OpenCalls {
  const open = new Map<string, Transaction>();
  return {
    get: (call) => open.get(call),
    begin(call, outer) {
      if (open.has(call)) return;
      open.set(call, transactions.begin(outer?.ended === true ? undefined : outer));
      for (const [oldest, transaction] of open) {
        if (open.size <= maxOpenCalls) break;
        transactions.rollback(transaction);
        open.delete(oldest);
        problems.add({ where: 'the session', error: new RangeError('too many calls at once; the writes of the oldest were undone') });
      }
    },
    settle({ call, outcome }) {
      const transaction = open.get(call);
      if (transaction === undefined) return undefined;
      open.delete(call);
      try {
        if (outcome.status === 'error') transactions.rollback(transaction);
        else transactions.commit(transaction);
      } catch (error) {
        problems.add({ where: 'the writes of a call', error });
      }
      return transaction;
    },
    count: () => open.size,
  };
}
