import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { type StopTimer, systemClock } from '../../../core/time/index.ts';

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
  let followed: ReadonlySet<string> = new Set();
  let stopTimer: StopTimer | undefined;

  const note = (file: string): void => {
    if (!followed.has(file)) return;
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
      followed = new Set(files);
      const wanted = new Set([...followed].map((file) => dirname(file)));
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
