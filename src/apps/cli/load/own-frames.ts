import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnFile } from './typescript/loaded-files.ts';

/** One line of a stack that lies in a file of the user's. */
export interface OwnFrame {
  /** The function, where it has a name. */
  readonly name: string | undefined;
  /** From the working folder on, such as `tools.ts:3:14`. */
  readonly place: string;
}

const frame = /^(?:\s*at (?:async )?(?:(.+?) \()?)?(file:\/\/\/[^\s?)]+?|\/[^\s?()]+?):(\d+)(?::(\d+))?\)?$/gm;

/** Finds the lines of a stack that lie in the user's own files, in its order. */
export function ownFrames(stack: string, cwd: string): OwnFrame[] {
  return [...stack.matchAll(frame)].flatMap(([, name, path = '', line = '', column]) => {
    const url = path.startsWith('file:') ? path : pathToFileURL(path).href;
    if (!isOwnFile(url)) return [];
    return [{ name, place: [relative(cwd, fileURLToPath(url)), line, ...(column === undefined ? [] : [column])].join(':') }];
  });
}
