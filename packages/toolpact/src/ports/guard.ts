import type { Outcome } from '../outcome/index.ts';
import type { GuardedCall } from './guarded-call.ts';
import type { GuardedToolbox } from './guarded-toolbox.ts';
import type { Promised } from './promised.ts';

/**
 * Where in a call a guard stands; the toolbox sorts guards into this order, outermost first. Those of the first two phases stand around
 * every call, also one whose tool or arguments are wrong; the others only around calls that are about to run.
 */
export const guardPhases = [
  'list',
  'repeat',
  'policy',
  'remember',
  'approval',
  'budget',
  'limit',
  'key',
  'result',
  'retry',
  'run',
] as const;

/** One of the places a guard can stand. */
export type GuardPhase = (typeof guardPhases)[number];

/** Everything that is not needed by the simplest call: idempotency, approvals, limits, retries and the like. `defineGuard` checks one. */
export interface Guard<TMethods extends object = object> {
  readonly name: string;
  readonly phase: GuardPhase;
  /** The tool promises this guard keeps. */
  readonly provides?: readonly Promised[];
  /**
   * Stands around the rest of the call: returns what `next` gives, or an outcome of its own without calling it. A guard that throws
   * before `next` refuses the call; one that throws after it only adds a warning.
   */
  readonly around: (call: GuardedCall, next: () => Promise<Outcome>) => Outcome | Promise<Outcome>;
  /**
   * The engine to which it sends calls, and which runs them in place of this process. Such a call is remembered from its beginning, and whoever
   * takes it over finds its run in the engine again. @default none
   */
  readonly engine?: { readonly name: string };
  /** Whether a toolbox may have only one guard of this name. @default false */
  readonly once?: boolean;
  /** Whether it also stands around results that come from elsewhere, such as those given to `settle` or found by `reconcile`. @default false */
  readonly wrapsExternalResults?: boolean;
  /** Creates the methods that this guard adds to its toolbox, such as `decide`. Called anew for every bound context. */
  readonly methods?: (toolbox: GuardedToolbox) => TMethods;
  /** Reports how its limits stand for one tenant, as far as this process knows them. Rejects when the store does not answer. */
  readonly limits?: (asked: { readonly tenantId: string; readonly tools: readonly string[] }) => Promise<readonly LimitState[]>;
}

/** How a limit of a guard, or one of its circuits, stands now. */
export interface LimitState {
  /** Whose calls count together, such as `tool:search`. */
  readonly key: string;
  readonly tool?: string;
  /** Calls in the window, calls that run, or failures of a circuit. */
  readonly used: number;
  readonly limit: number;
  /** How many calls wait for their turn. */
  readonly waiting?: number;
  /** Of a circuit: whether calls pass, are kept away, or one of them tries whether things work again. */
  readonly state?: 'closed' | 'open' | 'probing';
  /** When the window ends, or until when a circuit is open, in epoch milliseconds. */
  readonly until?: number;
  /** Whether the calls of all tenants are counted together. */
  readonly isShared?: boolean;
}

/** A guard as those who look after a toolbox see it. */
export interface ArrangedGuard {
  readonly name: string;
  readonly phase: GuardPhase;
  readonly limits?: Guard['limits'];
}
