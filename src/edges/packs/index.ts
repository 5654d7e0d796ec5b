// Types for authors of search providers, document indexes and credentials.

export type { Credential, CredentialSource, OpenApiOperation, OpenApiOverride } from './openapi/open-api-options.ts';
export type { UrlRules } from './sandbox/fetch/check-url.ts';
export type { HostAddress } from './sandbox/fetch/pinned-request.ts';
export type { SearchHit } from './sandbox/search/search-provider.ts';
