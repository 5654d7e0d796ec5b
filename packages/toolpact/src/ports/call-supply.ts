import type { CallContext } from '../contract/index.ts';
import type { CallFacts } from '../events/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { TakenCall } from './ledger.ts';
import type { Store } from './store.ts';

/** The calls of a store, and how to go on with them. */
export interface CallSupply {
  readonly store: Store;
  /** The tenant whose calls these are. */
  readonly tenant: string;
  /** Takes calls of these tools that are due. */
  readonly takeDue: (limit: number, tools: readonly string[]) => Promise<readonly TakenCall[]>;
  /** Goes on with a call that was taken; `context` gives what no store keeps of its context. */
  readonly goOn: (taken: TakenCall, context: (call: WorkerCall) => CallContext | Promise<CallContext>) => Promise<unknown>;
  /** Tells those who are to be told of questions what is due; resolves once each try has ended. */
  readonly sendNotices: () => Promise<void>;
  /** Shows others that a worker looks after the calls of the store. */
  readonly signWorkers: () => Promise<void>;
  /** Returns an outcome that is there already a handle, under which it is read like that of a call of this user. Rejects when the store does not answer. */
  readonly keep: (outcome: Outcome, userId?: string) => Promise<string>;
}

/** Facts about a call that a worker has before it continues it. */
export type WorkerCall = Omit<CallFacts, 'call'>;
