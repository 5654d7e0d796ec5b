export { type ApiKey, apiKeys, createApiKey, hashApiKey } from './api-keys.ts';
export { createServer } from './create-server.ts';
export type { FormName } from './forms.ts';
export type { AdminScope, Authenticate, AuthRequest, Identity } from './identity.ts';
export { type JwtOptions, jwt } from './jwt.ts';
export type { McpNotifier, McpServing, McpSessionLimits, McpSettings } from './mcp-settings.ts';
export { type OpenApiOptions, toOpenApi } from './openapi.ts';
export type { Denied, RequestLimit, ServedToolbox, ServerOptions, ServerTelemetry, ToolServer } from './server-parts.ts';
