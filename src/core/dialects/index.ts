// What the other rings may use: all that is public, and what only they and authors of dialects need.

export type { CodedMeta, ResponseFacts } from './coded/build-response.ts';
export { type ErrorCodeRow, errorCodes } from './coded/error-codes.ts';
export { selectNumber } from './coded/select-number.ts';
export type { Loss } from './dialect.ts';
export type { FlatCode } from './flat.ts';
export { encodeMcp, mcpMetaKey } from './mcp/mcp.ts';
export type { McpContent } from './mcp/mcp-content.ts';
export type { AnthropicBlock } from './providers/anthropic.ts';
export type { OpenaiOutputPart } from './providers/openai.ts';
export { describeMedia, isTakenMedia, type TakenMedia } from './providers/provider-content.ts';
export type { StatusType, ToolErrorDetail, ToolErrorMeta, ToolResultMeta } from './providers/tool-output.ts';
export * from './public.ts';
export { decodeOutcome } from './reading/decode-outcome.ts';
export type { TranslatableName } from './reading/translate.ts';
