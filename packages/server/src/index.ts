export type { JsonObject } from 'toolpact';
export { type ApiKey, apiKeys, createApiKey, hashApiKey } from './auth/api-keys.ts';
export type { AdminScope, Authenticate, AuthRequest, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export { createServer } from './create-server.ts';
export { createGateway, type Gateway, type GatewayOptions, type GatewayServer, type GatewayTool } from './gateway/create-gateway.ts';
export type { ToolDrift } from './gateway/drift.ts';
export type { DriftMode, GatewayRule, ToolRule } from './gateway/rules.ts';
export type { GatewayEra, GatewayTarget, UpstreamState } from './gateway/upstream.ts';
export { createInspectorProxy } from './inspector/create-inspector-proxy.ts';
export type { InspectorFiles } from './inspector/inspector-files.ts';
export type { InspectorBench, InspectorOptions, McpConfig, SourceLines, ToolLockState } from './inspector/inspector-options.ts';
export type { McpNotifier, McpServing, McpSessionLimits, McpSettings } from './mcp/settings.ts';
export type { DocParts } from './openapi/doc-parts.ts';
export { type OpenApiOptions, toOpenApi } from './openapi/to-open-api.ts';
export type { OperatorOptions } from './operator/operator-route.ts';
export { createOperatorToolbox, type OperatorToolboxOptions } from './operator/operator-toolbox.ts';
export type { Client as RequestClient } from './request/client.ts';
export type {
  AnswerHow,
  BatchFacts,
  DoneWork,
  GivenRoute,
  MadeBatch,
  MadeCall,
  OwnAnswer,
  RouteServer,
} from './request/given-route.ts';
export type { HttpAnswer } from './request/http-answer.ts';
export type { CallFacts } from './request/make-call.ts';
export type { RefuseOptions } from './request/refusal.ts';
export type { RequestBody, RequestHead } from './request/request-head.ts';
export type { ResponseFormat } from './request/response-format.ts';
export type { Need, RouteDocs, RouteGroup, RouteRequest } from './request/route.ts';
export type { Scope } from './request/scopes.ts';
export type { AnswerForm, RefusalFacts, RefusedRequest, ServedDialect } from './request/served-dialect.ts';
export type { SessionOperation } from './routes/session-tools.ts';
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
