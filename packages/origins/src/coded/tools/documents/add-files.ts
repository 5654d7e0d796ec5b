import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { expectArgument, isObject, refuseOptions } from 'toolpact/internal';
import { decodeText } from '../visit/decode-text.ts';
import { extractInThread } from '../visit/extract-in-thread.ts';
import type { DocumentIndex, SandboxDocument } from './document-index.ts';

/** The result of bringing an index up to date with a folder. */
type AddFilesReport = ReturnType<DocumentIndex['add']> & {
  /** Documents whose files are gone. */
  readonly removed: number;
  /** Files that could not be read as text, by their path below the folder. */
  readonly skipped: readonly string[];
};

/** Which files, and how they are called. */
export interface AddFilesOptions {
  /** The start of each document's id; the rest is the file's path below the folder. @default '' */
  readonly prefix?: string;
  /** Whether documents with this prefix whose files are gone are taken out. @default false */
  readonly prune?: boolean;
  /** @default 5_000_000 */
  readonly maxBytes?: number;
}

const textFiles = new Set(['.txt', '.md', '.markdown', '.rst', '.csv', '.json', '.jsonl', '.html', '.htm', '.xml', '.yaml', '.yml']);

/** Leaves out installed packages and hidden files of a folder. */
const notMeant = /\/(?:\.|node_modules\/)/;

/** Puts a file, or all text files below a folder but packages and hidden ones, into an index. Files that have not changed cost next to nothing, so it can be run again and again. */
export async function addFiles(index: DocumentIndex, path: string, options: AddFilesOptions = {}): Promise<AddFilesReport> {
  refuseOptions<AddFilesOptions>('addFiles', options, { prefix: true, prune: true, maxBytes: true });
  expectArgument(
    isObject(index) && typeof path === 'string',
    'addFiles takes an index, createDocumentIndex({ path }), and the path of a file or folder',
  );
  const { prefix = '', prune = false, maxBytes = 5_000_000 } = options;
  const documents: SandboxDocument[] = [];
  const skipped: string[] = [];
  for (const file of await filesAt(path)) {
    const name = (relative(path, file) || (file.split(sep).at(-1) ?? file)).replaceAll(sep, '/');
    const document = await readDocument(file, `${prefix}${name}`, maxBytes);
    if (document === undefined) skipped.push(name);
    else documents.push(document);
  }
  const report = index.add(documents);
  const kept = new Set([...documents.map(({ id }) => id), ...skipped.map((name) => `${prefix}${name}`)]);
  const isGone = (id: string): boolean => !kept.has(id) && !existsSync(join(path, id.slice(prefix.length)));
  const removed = prune ? index.remove(index.ids(prefix).filter(isGone)) : 0;
  return { ...report, removed, skipped };
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && textFiles.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !notMeant.test(`/${relative(path, file).replaceAll(sep, '/')}`))
    .sort();
}

async function readDocument(file: string, id: string, maxBytes: number): Promise<SandboxDocument | undefined> {
  // One file that is locked, or gone by now, costs none of the others.
  const body = await stat(file).then(
    ({ size }) => (size <= maxBytes ? readFile(file).catch(() => undefined) : undefined),
    () => undefined,
  );
  if (body === undefined || body.includes(0)) return undefined;
  const text = decodeText(body);
  if (/\.html?$/i.test(file)) {
    const article = await extractInThread(text).catch(() => undefined);
    return article && { id, ...article };
  }
  return { id, title: /^#\s+(.+)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? '', text };
}
