// All that is public, and what only authors need.
export type { AdminScope, AuthRequest } from './auth/identity.ts';
export { createInspectorProxy } from './inspector/create-inspector-proxy.ts';
export type { InspectorFiles } from './inspector/inspector-files.ts';
export type { InspectorBench, McpConfig, SourceLines, ToolLockState } from './inspector/inspector-options.ts';
export type { McpNotifier, McpServing, McpSessionLimits } from './mcp/settings.ts';
export * from './public.ts';
export type { Client as RequestClient } from './request/client.ts';
export type { HttpAnswer } from './request/http-answer.ts';
export type { RequestBody, RequestHead } from './request/request-head.ts';
export type { FormatName } from './request/response-format.ts';
export type { Denied, RequestLimit, RunWithin, ServerTelemetry } from './server-options.ts';
