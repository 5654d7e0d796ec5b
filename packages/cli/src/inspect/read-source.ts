import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InspectorOptions } from '@toolpact/server';
import { ownFrames } from '../load/own-frames.ts';

const around = 4;

type SourceLines = ReturnType<NonNullable<InspectorOptions['readSource']>>;

/** Creates a reader of the lines around the first place of a stack that lies in a tool file. No other file is read: a stack may name any. */
export function createReadSource(cwd: string, loaded: ReadonlySet<string>): (stack: string) => SourceLines {
  return (stack) => {
    for (const { place } of ownFrames(stack, cwd)) {
      const [, file = '', line = '', column = '1'] = /^(.*?):(\d+)(?::(\d+))?$/.exec(place) ?? [];
      const path = resolve(cwd, file);
      if (!loaded.has(path) && !loaded.has(pathToFileURL(path).href)) continue;
      return readLines(path, file, Number(line), Number(column));
    }
    return undefined;
  };
}

function readLines(path: string, file: string, line: number, column: number): SourceLines {
  try {
    const all = readFileSync(path, 'utf8').split('\n');
    const from = Math.max(1, line - around);
    return { file, line, column, from, lines: all.slice(from - 1, line + around).map((text) => text.slice(0, 300)) };
  } catch {
    return undefined;
  }
}
