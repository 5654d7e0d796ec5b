import { noTenant } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import type { Store } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { isOwnerAlive } from '../journal/owner-lease.ts';
import { askStore } from './ask-store.ts';
import { listRecords } from './list-all.ts';
import { callHandle } from './question-handle.ts';

/** Hears of the changes of one pending call. */
export interface ChangeWatch {
  /** Waits for a change that came after the last wait began, but no longer than this. */
  readonly next: (maxMs: number, signal: AbortSignal) => Promise<void>;
  /** Names the process that runs the call: its death counts as a change. */
  readonly follow: (owner: string | undefined) => void;
  /** Shares a look at the call with all who wait for it, until it changes or the look is old. */
  readonly share: <TLook>(look: () => TLook) => TLook;
  readonly end: () => void;
}

/** What waits for one call. */
interface Watched {
  readonly listeners: Set<() => void>;
  owner: string | undefined;
  look: { readonly made: unknown; readonly at: number } | undefined;
}

interface Hub {
  readonly watched: Map<string, Watched>;
  readonly begin: () => void;
  readonly rest: () => void;
  readonly wake: (name: string) => void;
}

const space = 'pending-change';
/** Stores list a group in order without looking at all that has expired. */
const group = 'all';
/** How often hints are read where the store sends no signals, and how many of these looks are skipped where it does: signals can get lost. */
const lookEveryMs = 250;
const sparedLooks = 20;
/** At how many of these looks the signs of life of processes are read once. */
const looksPerOwner = 4;
/** How often those who wait for calls of a dead process look again. */
const mournMs = 10_000;
const keptMs = 60_000;
/** How long a record with a smaller number may still appear: numbers are given before they are committed. */
const overlapMs = 5_000;
const pageSize = 1_000;
/** How long a look may be shared. */
const sharedMs = 250;

const hubs = new WeakMap<Store, Hub>();
const nameOf = (tenant: string, handle: string): string => JSON.stringify([tenant, callHandle(handle)]);

/** Lets all who wait for a pending call look at it again, in every process of the store. It is only a hint: a store that fails costs time. */
export async function announceChange(store: Store, tenant: string, handle: string): Promise<void> {
  hubs.get(store)?.wake(nameOf(tenant, handle));
  const value = { v: 1, tenant, handle };
  const draft = { space, tenant: noTenant, group, key: crypto.randomUUID(), value, expiresAt: Date.now() + keptMs };
  const written = await askStore(() => store.put(draft, 0));
  if (written.ok) await store.signals?.send(space).catch(() => undefined);
}

/** Begins to hear of the changes of a pending call. All who wait in a process share one look at the hints, however many calls they wait for. */
export function watchChanges(store: Store, tenant: string, handle: string): ChangeWatch {
  const known = hubs.get(store);
  const hub = known ?? createHub(store);
  if (known === undefined) hubs.set(store, hub);
  const name = nameOf(tenant, handle);
  const own: Watched = hub.watched.get(name) ?? { listeners: new Set(), owner: undefined, look: undefined };
  hub.watched.set(name, own);
  hub.begin();
  let hasChanged = false;
  let stopWaiting: (() => void) | undefined;
  const hear = (): void => {
    hasChanged = true;
    stopWaiting?.();
  };
  own.listeners.add(hear);
  return {
    async next(maxMs, signal) {
      await new Promise<void>((resolve) => {
        if (hasChanged || signal.aborted) return resolve();
        const stopTimer = systemClock.after(maxMs, () => stopWaiting?.());
        stopWaiting = () => {
          stopTimer();
          signal.removeEventListener('abort', hear);
          resolve();
        };
        signal.addEventListener('abort', hear);
      });
      stopWaiting = undefined;
      hasChanged = false;
    },
    follow(owner) {
      own.owner = owner;
    },
    share<TLook>(look: () => TLook): TLook {
      if (own.look === undefined || performance.now() - own.look.at > sharedMs) own.look = { made: look(), at: performance.now() };
      return own.look.made as TLook;
    },
    end() {
      own.listeners.delete(hear);
      if (own.listeners.size > 0) return;
      if (hub.watched.get(name) === own) hub.watched.delete(name);
      if (hub.watched.size === 0) hub.rest();
    },
  };
}

function createHub(store: Store): Hub {
  const watched = new Map<string, Watched>();
  const seen = new Map<number, number>();
  const mourned = new Map<string, number>();
  let after: number | undefined;
  let stopTimer: StopTimer | undefined;
  let hearing: Promise<() => void> | undefined;
  let isHearing = false;
  let isLooking = false;
  let hasMissed = false;
  let ticks = 0;

  function wake(name: string): void {
    const found = watched.get(name);
    if (found === undefined) return;
    found.look = undefined;
    for (const listener of [...found.listeners]) listener();
  }

  async function readHints(): Promise<void> {
    const now = performance.now();
    for (let from = after; ; ) {
      const page = await askStore(() => listRecords(store, { space, tenant: noTenant, group, after: from, limit: pageSize }));
      if (!page.ok) return;
      for (const { seq, value } of page.value) {
        if (seen.has(seq)) continue;
        seen.set(seq, now);
        if (isRecord(value) && value.v === 1) wake(nameOf(String(value.tenant), String(value.handle)));
      }
      const last = page.value.at(-1)?.seq;
      if (page.value.length < pageSize || last === undefined || !(last > (from ?? Number.NEGATIVE_INFINITY))) break;
      from = last;
    }
    for (const [seq, at] of seen) {
      if (now - at < overlapMs) continue;
      after = Math.max(after ?? seq, seq);
      seen.delete(seq);
    }
  }

  async function lookForDeaths(): Promise<void> {
    const owners = new Set([...watched.values()].flatMap(({ owner }) => owner ?? []));
    for (const owner of owners) {
      // A worker may go on with its calls, which takes a while.
      if (performance.now() - (mourned.get(owner) ?? Number.NEGATIVE_INFINITY) < mournMs || (await isOwnerAlive(store, owner))) continue;
      mourned.set(owner, performance.now());
      for (const [name, found] of watched) if (found.owner === owner) wake(name);
    }
  }

  /** Looks once at a time: a store that is slow is not asked again meanwhile. A signal that comes meanwhile is not lost. */
  async function look(isSignal: boolean, read: () => Promise<void> = readHints): Promise<void> {
    hasMissed ||= isLooking && isSignal;
    if (isLooking) return;
    isLooking = true;
    await read();
    isLooking = false;
    const again = hasMissed;
    hasMissed = false;
    if (again) await look(true);
  }

  function hear(): void {
    if (hearing !== undefined || store.signals === undefined) return;
    const begun = store.signals.hear(space, () => void look(true));
    hearing = begun;
    begun.then(
      () => {
        isHearing = hearing === begun;
      },
      () => {
        if (hearing === begun) hearing = undefined;
      },
    );
  }

  function tick(): void {
    ticks += 1;
    hear();
    const isSpared = isHearing && ticks % sparedLooks !== 0;
    void look(false, async () => {
      if (!isSpared) await readHints();
      if (ticks % looksPerOwner === 0) await lookForDeaths();
    });
  }

  return {
    watched,
    wake,
    begin() {
      stopTimer ??= systemClock.every(lookEveryMs, tick, { background: true });
    },
    rest() {
      stopTimer?.();
      stopTimer = undefined;
      hearing?.then((stop) => stop()).catch(() => undefined);
      [hearing, isHearing] = [undefined, false];
      mourned.clear();
    },
  };
}
