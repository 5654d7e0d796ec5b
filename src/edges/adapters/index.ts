// The shapes that hosts give and take, for authors of adapters. Users write the types of their framework.

export type { McpAnnotations } from '../../parts/mcp/index.ts';
export type { AdkContext, AdkDeclaration, AdkResponse } from './adk/shapes.ts';
export type { AiSdkToolLike } from './ai-sdk/from-tools.ts';
export type { AiSdkOutput, AiSdkPart } from './ai-sdk/model-output.ts';
export type { AiSdkCall, AiSdkSchema, AiSdkToolCall } from './ai-sdk/shapes.ts';
export type { GenkitHooks } from './genkit/middleware.ts';
export type { GenkitActionFacts, GenkitCall, GenkitResult } from './genkit/tool.ts';
export type { GeminiPart } from './google-genai/content.ts';
export type { LangchainCall, LangchainConfig, LangchainMessage } from './langchain/core.ts';
export type { LangchainToolLike } from './langchain/from-tools.ts';
export type { LangchainBlock, LangchainContent } from './langchain/message.ts';
export type { LangchainMiddlewareOptions } from './langchain/middleware.ts';
export type { LangchainToolNode } from './langchain/tool-node.ts';
export type { MastraToolLike } from './mastra/from-tools.ts';
export type { MastraStep } from './mastra/input-processor.ts';
export type { MastraModelOutput, MastraPart, MastraToolContext } from './mastra/tool.ts';
export type { McpClient } from './mcp/client.ts';
export type { FromMcpOptions, RemoteListing } from './mcp/remote-listing.ts';
export type { ChatAnswer } from './openai/chat.ts';
export type { ResponsesAnswer } from './openai/responses.ts';
export type { OpenaiAgentsParameters } from './openai-agents/arguments.ts';
export type { OpenaiAgentsItem, OpenaiAgentsModelData, OpenaiAgentsToolError } from './openai-agents/run-options.ts';
export type { OpenaiAgentsCall, OpenaiAgentsOutput, OpenaiAgentsOutputContext } from './openai-agents/shapes.ts';
export type { StrandsToolLike } from './strands/from-tools.ts';
export type { StrandsAgent, StrandsPluginOptions, StrandsStages } from './strands/plugin.ts';
export type { StrandsResult, StrandsText } from './strands/result.ts';
export type { StrandsProgress, StrandsToolContext } from './strands/tool.ts';
