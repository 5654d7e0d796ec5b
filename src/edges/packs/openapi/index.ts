export { fromOpenApi, type OpenApiTools } from './from-open-api.ts';
export type { OpenApiOptions } from './open-api-options.ts';
