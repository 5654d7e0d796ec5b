export type { Failure } from '../outcome/index.ts';
export type { Decoded, DecodeOptions, Dialect, EncodeOptions, Loss } from './dialect.ts';
export { type DialectName, dialects } from './dialects.ts';
export { type McpOptions, type McpResult, mcp } from './mcp.ts';
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
export { detectDialect } from './reading/detect-dialect.ts';
export { translate } from './reading/translate.ts';
