import type { Resource } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import type { DocumentIndex } from './documents/document-index.ts';
import { type DocumentsOptions, indexResource } from './documents/index-resource.ts';
import { ragBatchSearchTool } from './documents/rag-batch-search.ts';
import { ragSearchTool } from './documents/rag-search.ts';
import { searchTool } from './search/search.ts';
import type { SearchProvider } from './search/search-provider.ts';
import type { ModelEndpoint } from './visit/summarize-pages.ts';
import { type VisitOptions, visitTool } from './visit/visit.ts';

/** Options of the sandbox. Each part may be left out: its tool exists all the same and says what is missing. */
export interface SandboxOptions {
  /** The search service: `createSerper`, `createTavily`, `createBrave`, `createSearxng`, or one of your own. */
  readonly search?: SearchProvider | undefined;
  /** How pages are visited; without it only the public internet is. */
  readonly visit?: VisitOptions | undefined;
  /** Sums pages up towards the goal of a visit; without it the text itself is given. */
  readonly model?: ModelEndpoint | undefined;
  /** Where the documents are that `rag:search` looks through; see `createDocumentIndex` and `addFiles`. */
  readonly documents?: DocumentsOptions | undefined;
}

/** The four tools and what they need opened. */
export interface Sandbox {
  readonly tools: readonly [
    ReturnType<typeof searchTool>,
    ReturnType<typeof visitTool>,
    ReturnType<typeof ragSearchTool>,
    ReturnType<typeof ragBatchSearchTool>,
  ];
  readonly resources: readonly [Resource<DocumentIndex>];
}

/**
 * Creates the tools `search`, `visit`, `rag:search` and `rag:batch_search`. Nothing is opened or asked before the first call.
 *
 * @example
 * const { tools, resources } = createSandbox({ search: createBrave({ apiKey }), documents: { path: 'documents.db' } });
 * const toolbox = createToolbox(tools, { resources: createResources(resources) });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  refuseOptions<SandboxOptions>('createSandbox', options, { search: true, visit: true, model: true, documents: true });
  const { search, visit, model, documents } = options;
  const index = indexResource(documents);
  return Object.freeze<Sandbox>({
    tools: Object.freeze([searchTool(search), visitTool(visit, model), ragSearchTool(index), ragBatchSearchTool(index)] as const),
    resources: Object.freeze([index] as const),
  });
}
