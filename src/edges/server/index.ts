export { type ApiKey, apiKeys, createApiKey, hashApiKey } from './auth/api-keys.ts';
export type { AdminScope, Authenticate, AuthRequest, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export { createServer } from './create-server.ts';
export type { McpNotifier, McpServing, McpSessionLimits, McpSettings } from './mcp/settings.ts';
export { type OpenApiOptions, toOpenApi } from './openapi/to-open-api.ts';
export type { FormatName, HttpAnswer } from './request/http-answer.ts';
export type { RequestHead } from './request/request-head.ts';
export type { Denied, RequestLimit, ServedToolbox, ServerOptions, ServerTelemetry, ToolServer } from './server-options.ts';
