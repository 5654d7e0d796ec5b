import { fileURLToPath } from 'node:url';
import tsconfig from '../tsconfig.json' with { type: 'json' };

/** The file of the source that each entry of our packages is made from. */
export const sourceEntries: ReadonlyMap<string, string> = new Map(
  Object.entries(tsconfig.compilerOptions.paths).map(([entry, [file = '']]) => [
    entry,
    fileURLToPath(new URL(`../${file}`, import.meta.url)),
  ]),
);
