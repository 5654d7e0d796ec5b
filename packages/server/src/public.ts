export type { JsonObject } from 'toolpact';
export { type ApiKey, apiKeys, createApiKey, hashApiKey } from './auth/api-keys.ts';
export type { AdminScope, Authenticate, AuthRequest, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export { createServer } from './create-server.ts';
export type { InspectorFiles } from './inspector/inspector-files.ts';
export type { InspectorBench, InspectorOptions, McpConfig, SourceLines, ToolLockState } from './inspector/inspector-options.ts';
export type { McpNotifier, McpServing, McpSessionLimits, McpSettings } from './mcp/settings.ts';
export { type OpenApiOptions, toOpenApi } from './openapi/to-open-api.ts';
export type { Client as RequestClient } from './request/client.ts';
export type { HttpAnswer } from './request/http-answer.ts';
export type { RequestBody, RequestHead } from './request/request-head.ts';
export type { FormatName } from './request/response-format.ts';
export type {
  Denied,
  PlatformContext,
  RequestLimit,
  RunWithin,
  ServedToolbox,
  ServerOptions,
  ServerTelemetry,
  ToolServer,
} from './server-options.ts';
