import { executeTool, safeParseJSON } from '@ai-sdk/provider-utils';
import { tool as langchainTool } from '@langchain/core/tools';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { makeCoreTool } from '@mastra/core/utils';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2, InMemoryTransport as TransportV2 } from '@modelcontextprotocol/server';
import { tool as agentsTool, RunContext } from '@openai/agents';
import { tool as aiTool, asSchema, generateText, type LanguageModel, stepCountIs } from 'ai';
import type { Contestant } from './contestant.ts';
import { answerText, args, argsText, description, input, name, output, type Search, search } from './search-stations.ts';

// Each peer calls the same handler with the same schemas, in the way its own host does when a model asked for the tool; no network, no model.
// Peers check different things, as noted at each: only Mastra and the MCP SDKs check the output too.

const peer = (named: string, call: () => unknown, answerOf: (value: never) => unknown): Contestant => ({
  name: named,
  base: 'bare minimum',
  call,
  isRight: (value) => JSON.stringify(answerOf(value as never)) === answerText,
});

const forMastra = () =>
  createTool({ id: name, description, inputSchema: input, outputSchema: output, execute: (found: Search) => search(found) });

/** Mastra, `execute` called by hand: input and output validated, nothing else: what the handler throws is thrown at the caller. */
function mastraByHand(): Contestant {
  const tool = forMastra();
  return peer(
    'Mastra, tool.execute',
    () => tool.execute?.(args, {} as never),
    (value) => value,
  );
}

/** Mastra, as its agent calls: the tool is first wrapped, which adds tracing, logging and the catching of errors. */
function mastraByAgent(): Contestant {
  const tool = makeCoreTool(forMastra(), { name, requestContext: new RequestContext() });
  const options = { toolCallId: 'call-1', messages: [] } as never;
  return peer(
    'Mastra, as its agent calls a tool',
    () => tool.execute?.(args, options),
    (value) => value,
  );
}

/** OpenAI Agents: `invoke` takes the model's JSON text, as the runner does; input validated, output not. */
function openaiAgents(): Contestant {
  const tool = agentsTool({ name, description, parameters: input, execute: (found) => search(found) });
  const context = new RunContext();
  return peer(
    'OpenAI Agents, tool.invoke',
    () => tool.invoke(context, argsText),
    (value) => value,
  );
}

/** LangChain: `invoke` with arguments, as ToolNode does; input validated, callbacks set up, output not validated. */
function langchain(): Contestant {
  const tool = langchainTool((found: Search) => search(found), { name, description, schema: input });
  return peer(
    'LangChain, tool.invoke',
    () => tool.invoke(args),
    (value) => value,
  );
}

/**
 * AI SDK, the two parts of its tool call that it exports: read and validate the model's JSON text, execute. What lies around them inside
 * `generateText` (lifecycle callbacks, telemetry, timeouts, catching what the tool throws) is not exported and so not in this row.
 */
function aiSdkParts(): Contestant {
  const tool = aiTool({ description, inputSchema: input, execute: (found) => search(found) });
  const schema = asSchema(tool.inputSchema);
  const options = { toolCallId: 'call-1', messages: [], context: undefined } as never;
  const call = async () => {
    const parsed = await safeParseJSON({ text: argsText, schema });
    if (!parsed.success) throw parsed.error;
    let last: unknown;
    for await (const part of executeTool({ tool, input: parsed.value, options } as never)) last = part;
    return last;
  };
  return peer('AI SDK, parse and executeTool only', call, (value: { output: unknown }) => value.output);
}

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;

/** AI SDK, a whole `generateText` run of one step with a model that answers at once with one tool call. */
function aiSdkRun(): Contestant {
  const answer: Awaited<ReturnType<Model['doGenerate']>> = {
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: name, input: argsText }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 10, text: 10, reasoning: undefined },
    },
    warnings: [],
  };
  // Not the SDK's own mock, which keeps every call it ever got.
  const model: Model = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: async () => answer,
    doStream: () => Promise.reject(new Error('not streamed here')),
  };
  const tools = { [name]: aiTool({ description, inputSchema: input, execute: (found) => search(found) }) };
  const call = () => generateText({ model, tools, prompt: 'Where is Uji?', stopWhen: stepCountIs(1) });
  return peer(
    'AI SDK, generateText with a mock model',
    call,
    (value: { toolResults: { output: unknown }[] }) => value.toolResults[0]?.output,
  );
}

const forMcp = async (found: Search) => {
  const structuredContent = await search(found);
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
};

/** MCP SDK v1: client and server joined in memory, input and output validated by the server, output once more by the client. */
async function mcpV1(): Promise<Contestant> {
  const server = new ServerV1({ name: 'bench', version: '1.0.0' });
  server.registerTool(name, { description, inputSchema: input, outputSchema: output }, forMcp as never);
  const client = new ClientV1({ name: 'bench', version: '1.0.0' });
  const [clientSide, serverSide] = TransportV1.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  await client.listTools(); // every host lists first; from then on the client checks results too
  const call = () => client.callTool({ name, arguments: args });
  return peer('MCP SDK 1, client.callTool in memory', call, (value: { structuredContent: unknown }) => value.structuredContent);
}

/** MCP SDK v2, the same. */
async function mcpV2(): Promise<Contestant> {
  const server = new ServerV2({ name: 'bench', version: '1.0.0' });
  server.registerTool(name, { description, inputSchema: input, outputSchema: output }, forMcp);
  const client = new ClientV2({ name: 'bench', version: '1.0.0' });
  const [clientSide, serverSide] = TransportV2.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  await client.listTools();
  const call = () => client.callTool({ name, arguments: args });
  return peer('MCP SDK 2, client.callTool in memory', call, (value: { structuredContent: unknown }) => value.structuredContent);
}

export const peers: readonly Contestant[] = [
  mastraByHand(),
  mastraByAgent(),
  openaiAgents(),
  langchain(),
  aiSdkParts(),
  aiSdkRun(),
  await mcpV1(),
  await mcpV2(),
];
