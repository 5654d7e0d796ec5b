import { existsSync, mkdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Given } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { documentsPath } from './pack-tools.ts';
import { plainLine } from './terminal.ts';

/** Puts files into the document index that `rag:search` of the built-in packs looks through; without files tells what is in it. */
export async function runDocuments({ terminal, flags, words }: Given): Promise<number> {
  const { cwd } = terminal;
  const missing = words.find((word) => !existsSync(resolve(cwd, word)));
  if (missing !== undefined)
    throw new CliError(`There is no file or folder ${missing}.`, { fix: `Correct the path; it is taken from ${cwd}.` });
  const path = documentsPath(cwd);
  mkdirSync(dirname(path), { recursive: true });
  const { addFiles, createDocumentIndex } = await import('../../edges/packs/sandbox/index.ts');
  const index = createDocumentIndex({ path });
  try {
    for (const word of words) {
      const options = { prefix: `${word.replace(/\/+$/, '')}/`, prune: flags.get('prune') === true };
      const { added, replaced, unchanged, removed, skipped } = await addFiles(index, resolve(cwd, word), options);
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
