import { makeFailure, type Outcome } from '../../outcome/index.ts';
import type { CallPlace, OwnCall, RunPlace, Store, StoredCall } from '../../ports/index.ts';
import { longestSince, type Moment, type StopTimer, sleep, systemClock, thisMoment } from '../../time/index.ts';
import { toCallEnd } from '../run/answers.ts';
import { askStore, type StoreAnswer } from './ask-store.ts';
import { changesOf } from './changes.ts';
import { ledgerOf } from './ledger-of.ts';

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
  /**
   * Ends a call that the store may have begun although its caller was refused: it has not run, and never will. This process stays alive in the
   * store until that is done.
   */
  readonly disown: (place: CallPlace) => void;
  /** Whether a call with this name may still begin late, and end at once. */
  readonly isDisowned: (place: CallPlace) => boolean;
  /** Lets a toolbox decide about calls that the store says this process runs, and that nobody here goes on with. */
  readonly releaseBy: (release: ReleaseCall) => void;
}

/** Returns a call back for others to go on with, or ends it; gives false where its tool is not known. */
export type ReleaseCall = (call: StoredCall) => Promise<boolean>;

/** How often a process gives a sign of life within one lease. */
const beatsPerLease = 3;
/** A call that the store says this process runs, and that the process has not heard of for so long, was given to it by an answer that got lost. */
const orphanMs = 15_000;
/** For so long the beginning of a call may still reach the store after its caller was refused. */
const lateMs = 60_000;
const longestPauseMs = 5_000;

const byStore = new WeakMap<Store, Map<number, ProcessLife>>();

/** Returns the life of this process in a store, with a lease of this length. */
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
  const disowned = new Set<string>();
  /** Since when calls are known that nobody here goes on with. */
  let orphans = new Map<string, Moment>();
  const releasing = new Set<string>();
  const releasers: ReleaseCall[] = [];
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
    const before = orphans;
    orphans = new Map();
    for (const ownCall of answer.value) hear(ownCall, before);
    // Others may have taken this process for dead meanwhile.
    if (wasSilent && runs.size > 0) void lookAtRuns();
    return answer;
  }

  function hear(ownCall: OwnCall, before: ReadonlyMap<string, Moment>): void {
    const key = keyOf(ownCall);
    const run = runs.get(key);
    if (run !== undefined) {
      if (run.epoch === ownCall.epoch && ownCall.isCancelled) run.onCancel();
      return;
    }
    if (disowned.has(key) || releasing.has(key)) return;
    const since = before.get(key) ?? thisMoment();
    // One that is to stop is told of at once, and may be on its way here.
    if (ownCall.isCancelled && longestSince(since) < orphanMs) orphans.set(key, since);
    else void release(ownCall);
  }

  async function release(ownCall: OwnCall): Promise<void> {
    const key = keyOf(ownCall);
    releasing.add(key);
    const answer = await askStore(() => ledger.get(ownCall.tenant, ownCall.id));
    const call = answer.ok ? answer.value : undefined;
    if (call?.epoch === ownCall.epoch && call.stage === 'running' && !runs.has(key))
      for (const releaseCall of releasers) if (await releaseCall(call).catch(() => false)) break;
    releasing.delete(key);
  }

  /** Ends a call that may be begun after its caller was refused. */
  async function endDisowned(place: CallPlace): Promise<void> {
    const since = thisMoment();
    for (let pauseMs = beatMs / 2; longestSince(since) < lateMs; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const answer = await askStore(() => ledger.get(place.tenant, place.id));
      const call = answer.ok ? answer.value : undefined;
      if (call !== undefined) {
        if (call.process !== ownName() || call.epoch !== 1 || call.stage !== 'running') break;
        if ((await askStore(() => ledger.end(call, toCallEnd(call.listed, neverBegun, { keepsSteps: true })))).ok) break;
      }
      await sleep(pauseMs, undefined, { background: true });
    }
    disowned.delete(keyOf(place));
    restIfIdle();
  }

  function keepBeating(): void {
    stopTimer ??= systemClock.every(beatMs, () => void beat(), { background: true });
  }

  function restIfIdle(): void {
    if (runs.size > 0 || disowned.size > 0) return;
    stopTimer?.();
    stopTimer = undefined;
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
      keepBeating();
      const stopFollowing = changesOf(store).follow(run, (state) => {
        if (state === undefined) return;
        if (state.epoch !== run.epoch) run.onLost();
        else if (state.isCancelled && state.stage === 'running') run.onCancel();
      });
      return () => {
        stopFollowing();
        if (runs.get(key) === run) runs.delete(key);
        restIfIdle();
      };
    },
    disown(place) {
      disowned.add(keyOf(place));
      keepBeating();
      void endDisowned(place);
    },
    isDisowned: (place) => disowned.has(keyOf(place)),
    releaseBy: (releaseCall) => void releasers.push(releaseCall),
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
