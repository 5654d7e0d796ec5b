import type { CallContext } from '../contract/index.ts';
import type { CallFacts } from '../events/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { TakenCall } from './ledger.ts';
import type { Store } from './store.ts';

/** Functions of a guard for the programs that run a toolbox: servers, workers, engines. Its methods are for the toolbox's users. */
export interface GuardSupply {
  /** Waits until no call goes on in this process after it was answered. */
  readonly idle?: () => Promise<void>;
  /** The calls of a store, for those who go on with them. */
  readonly calls?: CallSupply;
  /** The engine that keeps the calls and goes on with them, so that no worker of this process has to. */
  readonly engine?: { readonly name: string };
}

/** The calls of a store, and how to go on with them. */
export interface CallSupply {
  readonly store: Store;
  /** Takes calls of these tools that are due. */
  readonly takeDue: (limit: number, tools: readonly string[]) => Promise<readonly TakenCall[]>;
  /** Goes on with a call that was taken; `context` gives what no store keeps of its context. */
  readonly goOn: (taken: TakenCall, context: (call: WorkerCall) => CallContext | Promise<CallContext>) => Promise<unknown>;
  /** Tells those who are to be told of questions what is due; resolves once each try has ended. */
  readonly sendNotices: () => Promise<void>;
  /** Shows others that a worker looks after the calls of the store. */
  readonly signWorkers: () => Promise<void>;
  /** Gives an outcome that is there already a handle, under which it is read like that of a call of this user. Rejects when the store does not answer. */
  readonly keep: (outcome: Outcome, userId?: string) => Promise<string>;
}

/** Facts about a call that a worker has before it continues it. */
export type WorkerCall = Omit<CallFacts, 'call'>;

/** Known to every copy of the library: the guards of one may be used in toolboxes of another. */
const supplyKey = Symbol.for('toolpact.supply');

/** Adds to the methods of a guard what it supplies beside them. */
export function withSupply<TMethods extends object>(methods: TMethods, supply: GuardSupply): TMethods {
  return { ...methods, [supplyKey]: supply };
}

/** Separates what a guard added to a toolbox from what it supplies beside it. */
export function splitSupply(added: object): { readonly methods: object; readonly supply: GuardSupply } {
  const { [supplyKey]: supply = {}, ...methods } = added as { readonly [supplyKey]?: GuardSupply };
  return { methods, supply };
}
