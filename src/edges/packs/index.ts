// What authors of search providers, document indexes and credentials need.

export type { Credential, CredentialSource, OpenApiOperation, OpenApiOverride } from './openapi/open-api-options.ts';
export type { AddFilesOptions } from './sandbox/documents/add-files.ts';
export type { DocumentIndexOptions } from './sandbox/documents/document-index.ts';
export type { DocumentsOptions } from './sandbox/documents/index-resource.ts';
export type { UrlRules } from './sandbox/fetch/check-url.ts';
export type { HostAddress } from './sandbox/fetch/pinned-request.ts';
export type { SafeFetchCall, SafeFetchOptions } from './sandbox/fetch/safe-fetch.ts';
export type { ProviderOptions, SearchHit } from './sandbox/search/search-provider.ts';
export type { VisitOptions } from './sandbox/visit/visit.ts';
