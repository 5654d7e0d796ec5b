import { createHash } from 'node:crypto';
import { ToolpactError } from 'toolpact';
import { expectArgument, refuseOptions } from 'toolpact/internal';
import { openIndexFile } from './index-file.ts';
import { splitChunks } from './split-chunks.ts';
import { toMatchQuery, toTerms } from './to-terms.ts';

/** A document as it is put in. */
export interface SandboxDocument {
  /** Identifies a document: adding one with the same id replaces it. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly text: string;
}

/** A piece of a document that answers a question. */
type DocumentHit = {
  readonly id: string;
  readonly title: string;
  /** Which piece of its document it is, counted from 1. */
  readonly part: number;
  readonly text: string;
  /** BM25; more is better. */
  readonly score: number;
};

/** The result of adding documents. */
type AddReport = {
  readonly added: number;
  readonly replaced: number;
  /** Those that were there already, word for word. */
  readonly unchanged: number;
};

/** A full-text index in one file. Any number of processes may have it open at the same time; what one puts in, the others find. */
export interface DocumentIndex {
  /** Puts documents in, all or none. */
  readonly add: (documents: Iterable<SandboxDocument>) => AddReport;
  /** Removes documents and gives their number. */
  readonly remove: (ids: Iterable<string>) => number;
  /** Finds the pieces that answer a question best, the best first. */
  readonly search: (question: string, options?: { readonly limit?: number }) => DocumentHit[];
  /** Lists the ids of all documents, or of those that begin with a text. */
  readonly ids: (prefix?: string) => string[];
  readonly count: () => { readonly documents: number; readonly chunks: number };
  readonly close: () => void;
}

/** Where an index is kept. */
export interface DocumentIndexOptions {
  /** The file, which is made if it is not there; `:memory:` for one that ends with the process. */
  readonly path: string;
}

/** Opens an index, and makes it if it is not there. Throws at once if the file cannot be used. Needs Node 22.16 or newer. */
export function createDocumentIndex(options: DocumentIndexOptions): DocumentIndex {
  refuseOptions<DocumentIndexOptions>('createDocumentIndex', options, { path: true });
  expectArgument(typeof options?.path === 'string', 'createDocumentIndex takes an object with `path`, the file of the index');
  const { path } = options;
  const db = openIndexFile(path);
  const sql = {
    find: db.prepare('SELECT hash FROM documents WHERE id = ?'),
    put: db.prepare('INSERT INTO documents (id, title, hash) VALUES (?, ?, ?)'),
    putChunk: db.prepare('INSERT INTO chunks (document, part, text) VALUES (?, ?, ?)'),
    putTerms: db.prepare('INSERT INTO terms (rowid, title, body) VALUES (?, ?, ?)'),
    dropTerms: db.prepare('DELETE FROM terms WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)'),
    dropChunks: db.prepare('DELETE FROM chunks WHERE document = ?'),
    drop: db.prepare('DELETE FROM documents WHERE id = ?'),
    search: db.prepare(`
      SELECT chunks.document AS id, documents.title, chunks.part, chunks.text, found.score
      FROM (SELECT rowid, bm25(terms, 2.0, 1.0) AS score FROM terms WHERE terms MATCH ? ORDER BY score, rowid LIMIT ?) AS found
      JOIN chunks ON chunks.id = found.rowid JOIN documents ON documents.id = chunks.document
      ORDER BY found.score, found.rowid`),
    ids: db.prepare('SELECT id FROM documents WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id'),
    count: db.prepare('SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS chunks'),
  };

  const drop = (id: string): number => {
    sql.dropTerms.run(id);
    sql.dropChunks.run(id);
    return Number(sql.drop.run(id).changes);
  };
  const put = ({ id, title = '', text }: SandboxDocument): keyof AddReport => {
    if (typeof id !== 'string' || id === '' || typeof text !== 'string')
      throw new ToolpactError('invalid_argument', 'a document needs an id and a text');
    const hash = createHash('sha256')
      .update(JSON.stringify([title, text]))
      .digest('hex');
    const known = sql.find.get(id);
    if (known?.hash === hash) return 'unchanged';
    drop(id);
    sql.put.run(id, title, hash);
    const titleTerms = toTerms(title).join(' ');
    for (const [index, chunk] of splitChunks(text).entries()) {
      const { lastInsertRowid } = sql.putChunk.run(id, index + 1, chunk);
      sql.putTerms.run(lastInsertRowid, titleTerms, toTerms(chunk).join(' '));
    }
    return known === undefined ? 'added' : 'replaced';
  };
  const together = <TValue>(work: () => TValue): TValue => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const value = work();
      db.exec('COMMIT');
      return value;
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };

  return Object.freeze<DocumentIndex>({
    add: (documents) =>
      together(() => {
        const report = { added: 0, replaced: 0, unchanged: 0 };
        for (const document of documents) report[put(document)] += 1;
        return report;
      }),
    remove: (ids) => together(() => [...ids].reduce((removed, id) => removed + drop(id), 0)),
    search(question, { limit = 5 } = {}) {
      const query = toMatchQuery(question);
      if (query === undefined) return [];
      const rows = sql.search.all(query, limit) as unknown as DocumentHit[];
      // SQLite's scores are negative, so that the best comes first.
      return rows.map(({ id, title, part, text, score }) => ({ id, title, part, text, score: -score }));
    },
    ids: (prefix = '') => sql.ids.all(prefix).map(({ id }) => String(id)),
    count: () => ({ ...sql.count.get() }) as { documents: number; chunks: number },
    close: () => db.close(),
  });
}
