import { defineResource, fail, type Resource } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { createDocumentIndex, type DocumentIndex } from './document-index.ts';

/** Where the documents are that `rag:search` looks through. */
export interface DocumentsOptions {
  /** The file of the index, the same for everybody; or a function that gives each tenant a file of its own. */
  readonly path: string | ((tenantId: string) => string | Promise<string>);
}

/**
 * Creates the index a resource: opened once, for all or per tenant, and closed at the end. A file for all is tried out at warm-up, so that
 * a server does not call itself ready with an index that cannot be read.
 */
export function indexResource(documents: DocumentsOptions | undefined): Resource<DocumentIndex> {
  refuseOptions<DocumentsOptions>('createSandbox: documents', documents, { path: true });
  const close = (index: DocumentIndex): void => index.close();
  if (documents === undefined) {
    const open = (): DocumentIndex => {
      throw fail('not_configured', 'No document index is configured: give `documents: { path }` to `createSandbox`.');
    };
    return defineResource({ type: 'rag', shared: 'process', open });
  }
  const { path } = documents;
  if (typeof path === 'function') {
    const open = async ({ tenantId }: { tenantId: string }) => createDocumentIndex({ path: await path(tenantId) });
    return defineResource({ type: 'rag', shared: true, ttlMs: 600_000, open, close });
  }
  return defineResource({
    type: 'rag',
    shared: 'process',
    ttlMs: Number.POSITIVE_INFINITY,
    warmUp: () => {
      const index = createDocumentIndex({ path });
      try {
        index.search('ready');
      } finally {
        index.close();
      }
    },
    open: () => createDocumentIndex({ path }),
    close,
  });
}
