import { posix, win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnFile } from './is-own-file.ts';

/** One line of a stack that lies in a file of the user's. */
export interface OwnFrame {
  /** The function, where it has a name. */
  readonly name: string | undefined;
  /** From the working folder on, such as `tools.ts:3:14`. */
  readonly place: string;
}

const frame = /^(?:\s*at (?:async )?(?:(.+?) \()?)?((?:file:\/\/\/|\/|[A-Za-z]:[\\/]).+?):(\d+)(?::(\d+))?\)?$/gm;

/** Finds the lines of a stack that lie in the user's own files, in its order. The working folder says whether paths are those of Windows. */
export function ownFrames(stack: string, cwd: string): OwnFrame[] {
  const windows = /^[A-Za-z]:[\\/]/.test(cwd);
  const { relative } = windows ? win32 : posix;
  // Editors of Windows write files with two characters at the end of a line, and some stacks keep them.
  return [...stack.replaceAll('\r\n', '\n').matchAll(frame)].flatMap(([, name, path = '', line = '', column]) => {
    const url = path.startsWith('file:') ? path : pathToFileURL(path, { windows }).href;
    if (!isOwnFile(url)) return [];
    const place = relative(cwd, fileURLToPath(url, { windows })).replaceAll('\\', '/');
    return [{ name, place: [place, line, ...(column === undefined ? [] : [column])].join(':') }];
  });
}

/** Writes where a bug lies, for its author: at most three lines. */
export function ownLines(stack: string, cwd: string): string[] {
  return ownFrames(stack, cwd)
    .slice(0, 3)
    .map(({ name, place }) => `  at ${name === undefined ? place : `${name} (${place})`}`);
}
