import { closeSync, openSync, statSync } from 'node:fs';

/** Creates the file of a database, if it is not there, so that its owner alone can read it. SQLite gives its log files the same rights. */
export function makePrivateFile(path: string): void {
  if (!isFile(path)) return;
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch {
    // It is there already, or cannot be made, which opening the database reports.
  }
}

/** Returns a function that throws once the file at this path has been replaced. */
export function watchFile(path: string): () => void {
  if (!isFile(path)) return () => undefined;
  const { ino, dev } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    const what = now === undefined ? 'deleted' : 'replaced by another one';
    throw new Error(`The file of the SQLite store was ${what} while it was open, so nothing more is written to it. Restart this process.`);
  };
}

/** Databases in memory have no file; a URI is left to SQLite. */
function isFile(path: string): boolean {
  return path !== '' && path !== ':memory:' && !path.startsWith('file:');
}
