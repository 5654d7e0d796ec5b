// All that is public, and what only authors need.
export type { AdminScope, AuthRequest } from './auth/identity.ts';
export type { JwtOptions } from './auth/jwt.ts';
export { createInspectorProxy } from './inspector/create-inspector-proxy.ts';
export type { InspectorFiles } from './inspector/inspector-files.ts';
export type { InspectorBench, InspectorOptions, McpConfig, SourceLines, ToolLockState } from './inspector/inspector-options.ts';
export type { McpNotifier, McpServing, McpSessionLimits } from './mcp/settings.ts';
export * from './public.ts';
export type { FormatName, HttpAnswer } from './request/http-answer.ts';
export type { RequestHead } from './request/request-head.ts';
export type { Denied, RequestLimit, ServerTelemetry } from './server-options.ts';
