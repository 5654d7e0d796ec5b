export { type AddFilesOptions, type AddFilesReport, addFiles } from './add-files.ts';
export { createBrave } from './brave.ts';
export type { UrlRules } from './check-url.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './create-sandbox.ts';
export {
  type AddReport,
  createDocumentIndex,
  type DocumentHit,
  type DocumentIndex,
  type DocumentIndexOptions,
  type SandboxDocument,
} from './document-index.ts';
export type { DocumentsOptions } from './index-resource.ts';
export type { HostAddress } from './pinned-request.ts';
export { createSafeFetch, type SafeFetch, type SafeFetchCall, type SafeFetchOptions, type SafeResponse } from './safe-fetch.ts';
export type { ProviderOptions, SearchHit, SearchProvider } from './search-provider.ts';
export { createSearxng } from './searxng.ts';
export { createSerper } from './serper.ts';
export type { ModelEndpoint } from './summarize-pages.ts';
export { createTavily } from './tavily.ts';
export type { VisitOptions } from './visit.ts';
