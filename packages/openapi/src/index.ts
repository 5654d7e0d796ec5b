export type { UrlRules } from './fetch/check-url.ts';
export type { SafeFetch, SafeFetchOptions } from './fetch/safe-fetch.ts';
export { createSafeFetch } from './fetch/safe-fetch.ts';
export { fromOpenApi, type OpenApiTools } from './from-open-api.ts';
export type { Credential, OpenApiOperation, OpenApiOptions, OpenApiOverride } from './open-api-options.ts';
export { fromJsonSchema, type JsonSchemaOptions } from './schemas/from-json-schema.ts';
