export { createSandbox, type Sandbox, type SandboxOptions } from './create-sandbox.ts';
export { type AddFilesOptions, type AddFilesReport, addFiles } from './documents/add-files.ts';
export {
  type AddReport,
  createDocumentIndex,
  type DocumentHit,
  type DocumentIndex,
  type DocumentIndexOptions,
  type SandboxDocument,
} from './documents/document-index.ts';
export type { DocumentsOptions } from './documents/index-resource.ts';
export type { UrlRules } from './fetch/check-url.ts';
export type { HostAddress } from './fetch/pinned-request.ts';
export { createSafeFetch, type SafeFetch, type SafeFetchCall, type SafeFetchOptions, type SafeResponse } from './fetch/safe-fetch.ts';
export { createBrave } from './search/brave.ts';
export type { ProviderOptions, SearchHit, SearchProvider } from './search/search-provider.ts';
export { createSearxng } from './search/searxng.ts';
export { createSerper } from './search/serper.ts';
export { createTavily } from './search/tavily.ts';
export type { ModelEndpoint } from './visit/summarize-pages.ts';
export type { VisitOptions } from './visit/visit.ts';
