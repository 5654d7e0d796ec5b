import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ToolFailure } from 'toolpact';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { makeFolder } from '../load/make-folder.ts';
import { plainLine } from '../print/terminal.ts';
import type { Given } from './command.ts';

/** Puts files into the document index of this folder, which `rag:search` of the sandbox pack reads; without files prints what is in it. */
export async function runDocuments({ terminal, flags, words }: Given): Promise<number> {
  const { cwd } = terminal;
  const missing = words.find((word) => !existsSync(resolve(cwd, word)));
  if (missing !== undefined)
    throw new CliError(`There is no file or folder ${missing}.`, { fix: `Correct the path; it is taken from ${cwd}.` });
  const path = join(cwd, '.toolpact/documents.db');
  const { addFiles } = await import('@toolpact/origins/coded/tools');
  makeFolder(dirname(path));
  const index = await openIndex(path, relative(cwd, path));
  try {
    for (const word of words) {
      const full = resolve(cwd, word);
      const isFolder = statSync(full).isDirectory();
      // Beside a single file nothing is looked at, so nothing can be found gone.
      const options = { prefix: prefixOf(cwd, isFolder ? full : dirname(full)), prune: isFolder && flags.get('prune') === true };
      const { added, replaced, unchanged, removed, skipped } = await addFiles(index, full, options);
      terminal.say(`${plainLine(word)}: ${added} added, ${replaced} changed, ${unchanged} as before, ${removed} taken out\n`);
      for (const name of skipped) terminal.say(`  not read: ${plainLine(name)}\n`);
    }
    const facts = { ...index.count(), file: relative(cwd, path) };
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(facts)}\n`);
    else await terminal.out(`${facts.documents} documents in ${facts.chunks} pieces, ${facts.file}\n`);
  } finally {
    index.close();
  }
  return exitCodes.done;
}

async function openIndex(path: string, shown: string) {
  const { createDocumentIndex } = await import('@toolpact/origins/coded/tools');
  try {
    return createDocumentIndex({ path });
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    throw new CliError(cause.message, { fix: `Move ${shown} away, or see that it can be read and written.`, cause });
  }
}

/** One name for a file, however its path was written. */
function prefixOf(cwd: string, folder: string): string {
  const path = relative(cwd, folder).replaceAll(sep, '/');
  return path === '' ? '' : `${path}/`;
}
