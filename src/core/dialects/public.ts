export { toModelText } from '../outcome/index.ts';
export {
  buildErrorResponse,
  buildSuccessResponse,
  type CodedMeta,
  type CodedResponse,
  type ResponseFacts,
} from './coded/build-response.ts';
export { type CodedEnvelope, coded } from './coded/coded.ts';
export { codedToolData, type RagBatchSearchData, type RagSearchData, type SearchData, type VisitData } from './coded/coded-tool-data.ts';
export { ErrorCode, type ErrorCodeRow, errorCodes } from './coded/error-codes.ts';
export { type ResponseTimer, responseTimer } from './coded/response-timer.ts';
export type { Decoded, Dialect, EncodeOptions } from './dialect.ts';
export { type DialectName, dialects } from './dialects.ts';
export { type FlatCode, type FlatEnvelope, flat } from './flat.ts';
export { type McpOptions, type McpResult, mcp, mcpMetaKey } from './mcp/mcp.ts';
export type { McpContent } from './mcp/mcp-content.ts';
export { failureDocs, type ProblemDetails, type ProblemOptions, problem, retryAfter } from './problem/problem.ts';
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
export { type TranslatableName, type Translated, translate } from './reading/translate.ts';
export { status } from './status/status.ts';
export { type ValueEnvelope, type ValueOptions, value } from './value.ts';
