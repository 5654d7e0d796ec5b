import { makeFailure, type Outcome } from '../../outcome/index.ts';
import type { CallPlace, OwnCall, RunPlace, Store } from '../../ports/index.ts';
import { longestSince, type Moment, type StopTimer, systemClock, thisMoment } from '../../time/index.ts';
import { askStore, type StoreAnswer } from '../store-access/ask-store.ts';
import { changesOf } from './changes.ts';
import { ledgerOf } from './ledger-of.ts';
import { toEnded } from './listed-call.ts';

/** A run of a call in this process, as the process sees it. */
export interface LiveRun extends RunPlace {
  /** Hears that the call must stop. */
  readonly onCancel: () => void;
  /** Hears that another process has the call. */
  readonly onLost: () => void;
}

/** The sign of life of this process in one store: one for all calls that it runs. */
export interface ProcessLife {
  readonly name: string;
  /** Makes sure that the store has a fresh sign of life, so that a call that begins now is not taken for one of a dead process. */
  readonly sign: () => Promise<StoreAnswer<unknown>> | undefined;
  /** Whether others may have taken this process for dead at some time since a moment. */
  readonly wasSilentSince: (moment: Moment) => boolean;
  /** Tells a run of this process at once that its call must stop; others hear of it from the store. */
  readonly stop: (place: CallPlace) => void;
  /** Keeps the process alive in the store while a run goes on, and tells the run what others do to it; returns the function that ends this. */
  readonly begin: (run: LiveRun) => () => void;
}

/** How often a process gives a sign of life within one lease. */
const beatsPerLease = 3;
/** A call of this process that the process does not know, and that the store has had for so long, was begun too late for its caller. */
const orphanMs = 15_000;

const byStore = new WeakMap<Store, Map<number, ProcessLife>>();

/** Gives the life of this process in a store, with a lease of this length. */
export function processLifeIn(store: Store, leaseMs: number): ProcessLife {
  const lives = byStore.get(store) ?? new Map<number, ProcessLife>();
  byStore.set(store, lives);
  const life = lives.get(leaseMs) ?? createProcessLife(store, leaseMs);
  lives.set(leaseMs, life);
  return life;
}

function createProcessLife(store: Store, leaseMs: number): ProcessLife {
  const ledger = ledgerOf(store);
  const runs = new Map<string, LiveRun>();
  const beatMs = leaseMs / beatsPerLease;
  // Drawn on first use: edge workers forbid randomness while a module loads.
  let name: string | undefined;
  const ownName = (): string => {
    name ??= crypto.randomUUID();
    return name;
  };
  let signedAt: Moment | undefined;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let beating: Promise<StoreAnswer<readonly OwnCall[]>> | undefined;
  let stopTimer: StopTimer | undefined;

  const isSilent = (): boolean => signedAt !== undefined && longestSince(signedAt) > leaseMs;

  function beat(): Promise<StoreAnswer<readonly OwnCall[]>> {
    beating ??= beatOnce().finally(() => {
      beating = undefined;
    });
    return beating;
  }

  async function beatOnce(): Promise<StoreAnswer<readonly OwnCall[]>> {
    const askedAt = thisMoment();
    const wasSilent = isSilent();
    const answer = await askStore(() => ledger.heartbeat({ process: ownName(), leaseMs, ranMs: orphanMs }), { store });
    if (!answer.ok) return answer;
    signedAt = askedAt;
    if (wasSilent) silentUntil = systemClock.monotonic();
    for (const own of answer.value) hear(own);
    // Others may have taken this process for dead meanwhile.
    if (wasSilent && runs.size > 0) void lookAtRuns();
    return answer;
  }

  function hear(own: OwnCall): void {
    const run = runs.get(keyOf(own));
    if (run === undefined) {
      void endUnknown(own);
    } else if (run.epoch === own.epoch && own.isCancelled) run.onCancel();
  }

  /** Ends a call that was begun after its caller had been refused: it has not run, and never will. */
  async function endUnknown(own: OwnCall): Promise<void> {
    const answer = await askStore(() => ledger.get(own.tenant, own.id));
    const call = answer.ok ? answer.value : undefined;
    if (call === undefined || call.epoch !== own.epoch || runs.has(keyOf(own))) return;
    const listed = toEnded(call.listed, neverBegun, systemClock.now());
    await askStore(() => ledger.end(own, { outcome: neverBegun, listed, keepsSteps: true, keyCountsMs: 0 }));
  }

  async function lookAtRuns(): Promise<void> {
    const answer = await askStore(() => ledger.look([...runs.values()]));
    if (!answer.ok) return;
    for (const { tenant, id, epoch, stage } of answer.value) {
      const run = runs.get(keyOf({ tenant, id }));
      if (run !== undefined && (run.epoch !== epoch || stage === 'ended')) run.onLost();
    }
  }

  const isFresh = (): boolean => signedAt !== undefined && longestSince(signedAt) < leaseMs / 2;
  return {
    get name() {
      return ownName();
    },
    wasSilentSince: ({ monotonic }) => silentUntil > monotonic || isSilent(),
    sign: () => (isFresh() ? undefined : beat()),
    stop: (place) => runs.get(keyOf(place))?.onCancel(),
    begin(run) {
      const key = keyOf(run);
      runs.set(key, run);
      stopTimer ??= systemClock.every(beatMs, () => void beat(), { background: true });
      const stopFollowing = changesOf(store).follow(run, (state) => {
        if (state === undefined) return;
        if (state.epoch !== run.epoch) run.onLost();
        else if (state.isCancelled && state.stage === 'running') run.onCancel();
      });
      return () => {
        stopFollowing();
        if (runs.get(key) === run) runs.delete(key);
        if (runs.size > 0) return;
        stopTimer?.();
        stopTimer = undefined;
      };
    },
  };
}

function keyOf({ tenant, id }: CallPlace): string {
  return JSON.stringify([tenant, id]);
}

const neverBegun: Outcome = Object.freeze({
  status: 'error',
  error: makeFailure('not_ready', { message: 'The store answered too late, so the call did not run.', effect: 'none' }),
  meta: Object.freeze({ tookMs: 0.001, attempts: 0 }),
});
