export { type Failure, type JsonObject, toModelText } from '../outcome/index.ts';
export {
  buildErrorResponse,
  buildSuccessResponse,
  type CodedMeta,
  type CodedResponse,
  type ResponseFacts,
} from './coded/build-response.ts';
export type { CodedDialect, CodedEnvelope } from './coded/coded.ts';
export { coded } from './coded/coded.ts';
export { type CodedToolData, codedToolData } from './coded/coded-tool-data.ts';
export { ErrorCode, type ErrorCodeRow, errorCodes } from './coded/error-codes.ts';
export { responseTimer } from './coded/response-timer.ts';
export type { Decoded, DecodeOptions, Dialect, EncodeOptions, Loss } from './dialect.ts';
export { type DialectName, dialects } from './dialects.ts';
export { type FlatCode, type FlatDialect, type FlatEnvelope, flat } from './flat.ts';
export { type McpOptions, type McpResult, mcp, mcpMetaKey } from './mcp.ts';
export type { McpContent } from './mcp-content.ts';
export { type ProblemDetails, type ProblemOptions, problem, retryAfter } from './problem.ts';
export { type AnthropicBlock, type AnthropicOptions, type AnthropicToolResult, anthropic } from './providers/anthropic.ts';
export { type GeminiFunctionResponse, type GeminiOptions, gemini } from './providers/gemini.ts';
export {
  type OpenaiFunctionCallOutput,
  type OpenaiOptions,
  type OpenaiOutputPart,
  type OpenaiToolMessage,
  openai,
} from './providers/openai.ts';
export type {
  StatusType,
  ToolError,
  ToolErrorDetail,
  ToolErrorMeta,
  ToolOutput,
  ToolResult,
  ToolResultMeta,
} from './providers/tool-output.ts';
export { detectDialect } from './reading/detect-dialect.ts';
export { translate } from './reading/translate.ts';
export type { StatusDialect } from './status.ts';
export { status } from './status.ts';
export type { ValueDialect } from './value.ts';
export { type ValueEnvelope, type ValueOptions, value } from './value.ts';
