import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StopTimer, systemClock } from 'toolpact/internal';

/** Watches files that come and go. */
export interface FileWatch {
  /** Watches these files from now on. */
  readonly follow: (files: Iterable<string>) => void;
  readonly close: () => void;
}

/** Editors write a file in several steps; what comes within this time is one change. */
const settleMs = 40;

/** Watches files through their folders, because editors replace files instead of writing into them. Tells the changed ones, together. */
export function watchFiles(onChange: (files: readonly string[]) => void): FileWatch {
  const folders = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let followed: ReadonlyMap<string, string> = new Map();
  let stopTimer: StopTimer | undefined;

  const note = (seen: string): void => {
    const file = followed.get(spelled(seen));
    if (file === undefined) return;
    changed.add(file);
    stopTimer?.();
    stopTimer = systemClock.after(settleMs, () => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    });
  };
  return {
    follow(files) {
      followed = new Map([...files].map((file) => [spelled(file), file]));
      const wanted = new Set([...followed.values()].map((file) => dirname(file)));
      for (const [folder, watcher] of folders) {
        if (wanted.has(folder)) continue;
        watcher.close();
        folders.delete(folder);
      }
      for (const folder of wanted) {
        if (folders.has(folder)) continue;
        const watcher = watch(folder, (_, name) => name !== null && note(join(folder, name)));
        // A folder that goes away takes its files along; there is nothing left to say.
        watcher.on('error', () => folders.delete(folder));
        folders.set(folder, watcher);
      }
    },
    close() {
      stopTimer?.();
      for (const watcher of folders.values()) watcher.close();
    },
  };
}

/** Windows and macOS report a file as it was created, which may differ in case and in the form of its accents from how it was named here. */
function spelled(file: string): string {
  return file.normalize('NFC').toLowerCase();
}
