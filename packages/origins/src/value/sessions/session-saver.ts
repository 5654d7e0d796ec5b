import type { ProblemLog } from 'toolpact/internal';
import { systemClock } from 'toolpact/internal';
import type { Change } from './change.ts';
import { readSnapshot, type SessionSnapshot } from './snapshot.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Brings a session into its store, in the background, and takes in what other writers stored meanwhile. */
export interface SessionSaver {
  /** Notes a write that the store does not have yet. */
  readonly note: (slice: string, change: Change) => void;
  /** Saves soon, once, however often it is asked. */
  readonly saveSoon: () => void;
  /** Saves now; false when the store failed or other writers were always faster. */
  readonly save: () => Promise<boolean>;
  /** Takes in what the store has; false when it has nothing, or nothing readable. */
  readonly load: () => Promise<boolean>;
}

/** The part of a session that a saver needs. */
export interface SavedSession {
  readonly id: string;
  readonly snapshot: () => SessionSnapshot;
  /** Puts what another writer stored in the place of all slices. */
  readonly replace: (snapshot: SessionSnapshot) => void;
  /** Applies a write again, on top of what another writer stored. */
  readonly reapply: (slice: string, change: Change) => void;
}

const maxUnsaved = 10_000;
const maxTries = 8;

/** Creates a saver. */
export function createSessionSaver(store: SnapshotStore, session: SavedSession, problems: ProblemLog): SessionSaver {
  let unsaved: { readonly slice: string; readonly change: Change }[] = [];
  let noted = 0;
  let revision = 0;
  let saving = Promise.resolve(true);
  let isSoon = false;

  async function run(): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const written = noted;
      const saved = await store.save(session.id, session.snapshot(), revision);
      if (saved !== undefined) {
        revision = saved;
        unsaved = unsaved.slice(Math.max(0, unsaved.length - (noted - written)));
        return true;
      }
      await takeIn();
    }
    problems.add({ where: 'saving the session', error: new Error(`other writers were faster ${maxTries} times`) });
    return false;
  }

  /** Starts from what the store has and makes the unsaved writes once more. */
  async function takeIn(): Promise<boolean> {
    const stored = await store.load(session.id);
    if (stored === undefined) {
      revision = 0;
      return false;
    }
    const read = readSnapshot(stored.snapshot);
    if (!read.ok) throw new TypeError(`the stored snapshot cannot be read: ${read.problem}`);
    revision = stored.revision;
    session.replace(read.snapshot);
    for (const { slice, change } of unsaved) session.reapply(slice, change);
    return true;
  }

  /** One at a time, and never a rejection. */
  function enqueue(work: () => Promise<boolean>): Promise<boolean> {
    saving = saving.then(work).catch((error: unknown) => {
      problems.add({ where: 'the snapshot store', error });
      return false;
    });
    return saving;
  }

  return {
    note(slice, change) {
      noted += 1;
      unsaved.push({ slice, change });
      if (unsaved.length <= maxUnsaved) return;
      unsaved = unsaved.slice(-maxUnsaved / 2);
      problems.add({ where: 'saving the session', error: new RangeError('too many unsaved writes; another writer may undo the oldest') });
    },
    saveSoon() {
      if (isSoon) return;
      isSoon = true;
      // Free again only when it begins: behind a store that hangs, one waiting save is enough.
      const begin = (): Promise<boolean> => {
        isSoon = false;
        return run();
      };
      systemClock.after(0, () => void enqueue(begin));
    },
    save: () => enqueue(run),
    load: () => enqueue(takeIn),
  };
}
