import type { CallContext } from '../contract/index.ts';
import type { CallFacts } from '../events/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { TakenCall } from './ledger.ts';
import type { Store } from './store.ts';

/** What a guard supplies to the programs that run a toolbox: servers, workers, engines. Its methods are for the users of the toolbox. */
export interface GuardSupply {
  /** Waits until no call goes on in this process after it was answered. */
  readonly idle?: () => Promise<void>;
  /** The calls that a worker can go on with. */
  readonly worker?: WorkerSupply;
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
  /** Shows others that a worker looks after the calls of the store. */
  readonly signWorkers: () => Promise<void>;
  /** Gives an outcome that is there already a handle, under which it is read like that of a call of this user. Rejects when the store does not answer. */
  readonly keep: (outcome: Outcome, userId?: string) => Promise<string>;
}

/** The calls of a store that slept, waited or lost their process, and how to go on with them. */
export interface WorkerSupply {
  readonly store: Store;
  /** Goes on with a call; `context` gives what no store keeps of its context. */
  readonly takeOver: (open: OpenCall, context: (call: WorkerCall) => CallContext | Promise<CallContext>) => Promise<unknown>;
  /** Checks whether the process that has a call may still run. */
  readonly isAlive: (owner: string) => Promise<boolean>;
}

/** What a worker knows of a call before it goes on with it. */
export type WorkerCall = Omit<CallFacts, 'call'>;

/** A call that a worker takes over when its process is gone, or when its time has come. */
export interface OpenCall {
  readonly v: 1;
  readonly tenant: string;
  /** Where the journal keeps its start. */
  readonly key: string;
  readonly tool: string;
  /** The process that runs it, or ran it before it slept. */
  readonly owner: string;
  /** The handle under which its outcome is waited for. */
  readonly handle?: string;
  /** Whether it sleeps or waits instead of running. */
  readonly suspended?: true;
  /** When a suspended call goes on, in epoch milliseconds; absent while only an answer can wake it. */
  readonly wakeAt?: number;
  /** What is left of its time. */
  readonly remainingMs?: number;
  /** Where the steps of a suspended call are kept. */
  readonly steps?: string;
}

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
