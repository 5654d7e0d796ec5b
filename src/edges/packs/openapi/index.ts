export { fromOpenApi, type OpenApiTools } from './from-open-api.ts';
export type { Credential, CredentialSource, OpenApiOperation, OpenApiOptions, OpenApiOverride } from './open-api-options.ts';
