export type { JsonObject } from '../../core/outcome/index.ts';
export { type ApiKey, apiKeys, createApiKey, hashApiKey } from './auth/api-keys.ts';
export type { Authenticate, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export { createServer } from './create-server.ts';
export type { InspectorOptions } from './inspector/inspector-options.ts';
export type { McpSettings } from './mcp/settings.ts';
export { type OpenApiOptions, toOpenApi } from './openapi/to-open-api.ts';
export type { ServedToolbox, ServerOptions, ToolServer } from './server-options.ts';
