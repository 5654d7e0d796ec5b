import { canonicalJson } from '../../json/index.ts';
import { type Effect, fail, ToolFailure, withoutAbsent } from '../../outcome/index.ts';
import type { Awaitable, GuardedCall, RecordKey, Store } from '../../ports/index.ts';
import { askStore, maxTries, StoreFault } from '../store-access/ask-store.ts';
import { argumentsOf, loadFingerprints } from '../store-access/fingerprint.ts';
import { pauseIn, tryLater } from '../store-access/try-later.ts';
import { approvalNote } from './continued-note.ts';
import { entryPlace, headPlace, type KnownSteps, type MemoryEntry, type MemoryHead, readHead, readSteps } from './memory-records.ts';
import { beginRerun, checkRerun, type Rerun } from './rerun-steps.ts';
import { takenOverFailure } from './taken-over.ts';

/** What a memory needs. */
export interface MemoryParts {
  readonly store: Store;
  readonly call: GuardedCall;
  /** The first of the invocations of this call, by which its steps are kept. */
  readonly origin: string;
  /** Where the journal keeps this call; another place than the first of its invocations where it is a rerun. */
  readonly key: string;
  readonly owner: string;
  readonly now: () => number;
  readonly expiresAt: () => number;
  /** Whether this run was made by the journal: it repeats a call, or goes on with it. */
  readonly isRepeat: boolean;
  /** Whether the tool has found that no doubtful step took effect. */
  readonly isCleared: boolean;
  /** Says whether other processes may have taken this one for dead since the call began here. */
  readonly wasSilent: () => boolean;
  /** What is done again, where this is a rerun. */
  readonly rerun?: Rerun | undefined;
}

/** What is known of a call while it runs here. */
export interface Opened extends KnownSteps {
  head: MemoryHead;
  version: number;
}

/** What changes in a head; undefined for what goes. */
type HeadChange = { readonly [TName in keyof MemoryHead]?: MemoryHead[TName] | undefined };

/** The records of one call in a store. */
export interface MemoryState {
  readonly place: () => RecordKey;
  /** Reads what is recorded, and makes this process the only one that may begin a step. */
  readonly open: () => Promise<Opened>;
  /** What was read, once it is. */
  readonly opened: () => Opened | undefined;
  /** Writes the head with a change, and with all steps that are begun. Changes that are made together share one write. */
  readonly changeHead: (change?: HeadChange) => Promise<void>;
  readonly writeEntry: (entry: Omit<MemoryEntry, 'v' | 'epoch'>, effect: Effect) => Promise<void>;
  /** Forgets the steps of a call that has ended well. Gives whether the store has answered. */
  readonly forget: () => Promise<boolean>;
  /** Asks the store until it answers, or the call is over. */
  readonly insist: <TValue>(ask: () => Awaitable<TValue>, what: string, effect: Effect) => Promise<TValue>;
}

/** Opens the records of one call. */
export function createMemoryState({ store, call, origin, key, owner, expiresAt, isRepeat, rerun }: MemoryParts): MemoryState {
  const { tenantId: tenant, tool } = call;
  let opening: Promise<Opened> | undefined;
  let opened: Opened | undefined;
  let writing: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  /** The same for a whole minute: a row whose indexed columns stay as they are is written without its indexes. */
  const headEnd = (): number => Math.ceil(expiresAt() / 60_000) * 60_000;

  let kept: { readonly key: string | undefined; readonly at: RecordKey } | undefined;
  /** Named once: each step that writes asks for it. The key of a call becomes known while its guards run. */
  const place = (): RecordKey => {
    const { key } = call;
    if (kept === undefined || kept.key !== key)
      kept = { key, at: key === undefined ? placeOfCall(tenant, origin) : headPlace(tenant, canonicalJson(['key', tool.name, key])) };
    return kept.at;
  };

  /** Asks the store until it answers, or the call is over: a step must not begin, or go on, without its record. */
  async function insist<TValue>(ask: () => Awaitable<TValue>, what: string, effect: Effect): Promise<TValue> {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
      const answer = await askStore(ask);
      if (answer.ok) return answer.value;
      if (ToolFailure.isInstance(answer.cause)) throw answer.cause;
      const isHopeless = answer.cause instanceof StoreFault || call.outcome !== undefined || call.remainingMs <= pauseMs;
      if (isHopeless) throw fail('not_ready', `${what}: ${answer.why}.`, { effect });
      await pauseIn(call, pauseMs);
    }
  }

  async function load(): Promise<Opened> {
    const prints = await loadFingerprints(store, askStore);
    const print = prints.ok ? { print: prints.value.of(argumentsOf(call)) } : {};
    const approval = call.notes.get(approvalNote) as string | undefined;
    const allowed = approval === undefined ? {} : { approval };
    const at = place();
    const put = (head: MemoryHead, expect: number) => store.put({ ...at, value: head as never, expiresAt: headEnd() }, expect);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const run = crypto.randomUUID();
      const fresh: MemoryHead = { v: 1, run, epoch: 1, owner, call: key, attempt: 1, begun: {}, ...print, ...allowed };
      const first = await put(fresh, 0);
      if (first.ok) return { head: fresh, version: first.version, ended: new Map(), waits: new Map(), doubtful: new Map(), attempt: 1 };
      if (first.current === undefined) continue;
      const found = readHead(first.current);
      // Another process has ended this call, or goes on with it, although this one is about to begin it.
      if (found.ended || (!isRepeat && found.call === key && found.owner !== owner)) throw takenOverFailure();
      const { failed, ...current } = beginRerun(found, rerun);
      if (print.print !== undefined && current.print !== undefined && print.print !== current.print) throw otherArguments(tool.name);
      const next: MemoryHead = { ...(failed ? asNewAttempt(current) : current), epoch: current.epoch + 1, owner, call: key, ...allowed };
      const taken = await put(failed ? { ...next, failed } : next, first.current.version);
      if (!taken.ok) continue;
      // Read only now: the owner before can begin no other step any more.
      const known = await readSteps(store, tenant, current);
      return { ...known, head: next, version: taken.version, attempt: failed ? known.attempt + 1 : known.attempt };
    }
    throw fail('not_ready', `The steps of ${tool.name} are changed by others again and again.`, { effect: 'none' });
  }

  function open(): Promise<Opened> {
    const loading = async (): Promise<Opened> => {
      await checkRerun(store, place(), rerun);
      return load();
    };
    opening ??= insist(loading, `The steps of ${tool.name} cannot be read`, 'none').then((found) => {
      opened = found;
      return found;
    });
    return opening;
  }

  /** Writes the head over the version that is ours. Where it has another one, another process has taken the call. */
  async function writeHead(state: Opened): Promise<void> {
    state.head = { ...state.head, ...begunNow(state) };
    const value = state.head as never;
    const written = await insist(
      async () => {
        const answer = await store.put({ ...place(), value, expiresAt: headEnd() }, state.version);
        if (answer.ok || answer.current === undefined) return answer;
        const { epoch } = readHead(answer.current);
        // A write whose answer was lost has counted all the same.
        return epoch === state.head.epoch ? store.put({ ...place(), value, expiresAt: headEnd() }, answer.current.version) : answer;
      },
      `The next step of ${tool.name} did not begin`,
      'none',
    );
    if (!written.ok) throw takenOverFailure();
    state.version = written.version;
  }

  async function changeHead(change: HeadChange = {}): Promise<void> {
    const state = opened ?? (await open());
    state.head = withoutAbsent<MemoryHead>({ ...state.head, ...change });
    const write = async (): Promise<void> => {
      queued = undefined;
      writing = writeHead(state);
      await writing.finally(() => {
        writing = undefined;
      });
    };
    if (writing === undefined) return write();
    queued ??= writing.catch(() => undefined).then(write);
    return queued;
  }

  async function writeEntry(entry: Omit<MemoryEntry, 'v' | 'epoch'>, effect: Effect): Promise<void> {
    const { head } = opened ?? (await open());
    const value = { v: 1, epoch: head.epoch, ...entry } as never;
    const at = entryPlace(tenant, head, entry.id);
    const { logs } = store;
    const put = (): Awaitable<unknown> =>
      // A question is stored as a record, because its answer is written with compare-and-set.
      logs === undefined || entry.record === undefined
        ? store.put({ ...at, value, expiresAt: expiresAt() })
        : logs.write({ tenant, log: head.run, name: at.key, value, expiresAt: expiresAt() });
    try {
      await insist(put, `The end of the step "${entry.name}" could not be stored`, effect);
    } catch (thrown) {
      void tryLater(async () => (await askStore(put)).ok, 2000);
      throw thrown;
    }
  }

  /**
   * A key has a record of its own that says how its call ended, and its next call begins anew. Without one, the head itself stays for as long as
   * the call is remembered, so that a process that stood still before its first step does not take the call for one that never began.
   */
  async function forget(): Promise<boolean> {
    if (opened === undefined) return true;
    const { head, version } = opened;
    const { run, epoch, attempt } = head;
    const ended: MemoryHead = { v: 1, run, epoch, owner, call: key, ended: true, attempt, begun: {} };
    const at = place();
    const answer = await askStore<unknown>(() =>
      call.key === undefined ? store.put({ ...at, value: ended as never, expiresAt: headEnd() }, version) : store.remove(at, version),
    );
    return answer.ok;
  }

  return { place, open, opened: () => opened, changeHead, writeEntry, forget, insist };
}

/** Names what is remembered of a call without a key. */
export function placeOfCall(tenant: string, origin: string): RecordKey {
  return headPlace(tenant, canonicalJson(['call', origin]));
}

/** Checks whether a step of a call may have taken effect without a recorded end. Changes nothing. */
export async function hasDoubt(store: Store, place: RecordKey): Promise<boolean> {
  const found = await store.get(place);
  return found !== undefined && (await readSteps(store, place.tenant, readHead(found))).doubtful.size > 0;
}

/** Gives what the head says of the steps that were begun. */
function begunNow({ head, doubtful, attempt }: Opened): Pick<MemoryHead, 'begun' | 'attempt'> {
  const attempts = [...doubtful.values()].map(([, tried]) => tried);
  return { begun: Object.fromEntries(doubtful), attempt: Math.max(head.attempt, attempt, ...attempts) };
}

/** Those who waited for an attempt that failed were answered, and what let it run is used up. */
function asNewAttempt({ handle: _handle, approval: _approval, ...head }: MemoryHead): MemoryHead {
  return head;
}

function otherArguments(tool: string) {
  return fail('conflict', `${tool} has begun with other arguments under this key.`, {
    code: 'key_reused',
    advice: 'Use a new key, or the same arguments.',
    effect: 'none',
  });
}
