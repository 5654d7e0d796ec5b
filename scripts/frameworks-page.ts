import { readFileSync } from 'node:fs';

/** The stories of examples/adapters, in the order of the page, what to install for each, and what else there is to say. */
const frameworks: readonly (readonly [title: string, file: string, packages: string, note?: string])[] = [
  ['AI SDK', 'ai-sdk', 'ai'],
  ['OpenAI Agents', 'openai-agents', '@openai/agents'],
  ['LangChain', 'langchain', 'langchain @langchain/core'],
  ['Mastra', 'mastra', '@mastra/core'],
  ['Google ADK', 'adk', '@google/adk @google/genai'],
  ['Genkit', 'genkit', 'genkit'],
  ['Strands', 'strands', '@strands-agents/sdk'],
  ['TanStack AI', 'tanstack-ai', '@tanstack/ai'],
  ['MCP', 'mcp', '@modelcontextprotocol/client @modelcontextprotocol/server'],
  [
    'Claude Agent SDK',
    'claude-agent-sdk',
    '@anthropic-ai/claude-agent-sdk @modelcontextprotocol/sdk',
    `It takes tools over MCP. A server in the process of the agent is made as below; a server in a process of its own needs no
code: \`mcpServers: { tools: { command: 'npx', args: ['toolpact', 'mcp', 'tools.ts'] } }\`. A call that needs an approval of
Toolpact answers \`pending\`, and is decided with \`toolbox.approvals\`; \`canUseTool\` of the SDK asks before the call comes to
the toolbox. Tested with 0.3.328: its server, with a client of MCP in place of the command that \`query\` starts. In the
[table of faults](faults.md) it is the column MCP v1.`,
  ],
  [
    'eve',
    'eve',
    'eve ai',
    `eve names a tool after its file in \`agent/tools\`, so each tool of the toolbox gets a file of one line. eve checks arguments by
the JSON Schema itself before the toolbox does, and answers unknown names itself. It keeps a session, and repeats a step that
was interrupted; the toolbox keeps the call ([who pays twice](who-pays-twice.md)): give it a store, and the tools that
write a key. Tested with 0.80.1.`,
  ],
  ['OpenAI SDK', 'openai', 'openai'],
  ['Anthropic SDK', 'anthropic', '@anthropic-ai/sdk'],
  ['Google Gen AI SDK', 'google-genai', '@google/genai'],
];

/** The line that gives a toolbox to each framework, and the one that wraps tools of it. */
export const adapterLines: readonly (readonly [adapter: string, line: string, back: string])[] = [
  ['ai-sdk', 'generateText({ model, prompt, ...toRunOptions(toolbox) })', 'fromTools(tools)'],
  ['openai-agents', 'run(new Agent({ name, tools: toTools(toolbox) }), prompt, toRunOptions(toolbox))', ''],
  ['langchain', 'createAgent({ model, tools: toTools(toolbox), middleware: [toMiddleware(toolbox)] })', 'fromTools(tools)'],
  [
    'langchain (LangGraph)',
    "graph.addNode('tools', toToolNode(new ToolNode(toTools(toolbox)), toolbox)), with the model piped through mendCalls",
    '',
  ],
  ['mastra', 'new Agent({ …, tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] })', ''],
  ['adk', 'new LlmAgent({ …, tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) })', ''],
  ['genkit', 'ai.generate({ model, prompt, tools: toTools(toolbox), use: [toMiddleware(toolbox)] })', ''],
  ['strands', 'new Agent({ model, tools: toTools(toolbox), plugins: [toPlugin(toolbox)] })', ''],
  ['tanstack-ai', "chat({ messages, ...toRunOptions(toolbox, openaiText('gpt-5.5')) })", ''],
  ['mcp', 'toMcpServer(toolbox, { server: new Server(info) }).connect(transport)', 'await fromMcp(client, { schema: fromJsonSchema })'],
  ['openai', 'await evaluate({ client, toolbox, params })', ''],
  ['anthropic', 'await evaluate({ client, toolbox, params })', ''],
  ['google-genai', 'await evaluate({ client, toolbox, params })', ''],
];

/** Writes docs/frameworks.md from the stories that the test command runs. */
export function frameworksPage(): string {
  const stories = frameworks.map(([title, file, packages, note]) => {
    const before = note === undefined ? '' : `${note}\n\n`;
    return `## ${title}\n\n${before}\`npm install toolpact zod ${packages}\`\n\n\`\`\`ts\n${programOf(file)}\`\`\`\n`;
  });
  return `# Frameworks: a complete program for each

<!-- Written by \`npm run docs\` from examples/adapters. Do not edit. -->

One line gives the tools of a toolbox to a framework or provider:

| \`toolpact/adapters/…\` | in one line | wraps existing tools |
|---|---|---|
${adapterLines.map(([adapter, line, back]) => `| \`${adapter}\` | \`${line}\` | ${back === '' ? '' : `\`${back}\``} |`).join('\n')}

Below is a complete program for each. It runs as it is, in a folder with \`"type": "module"\`; a fake model is included, so you need no API key. In each program a tool fails, the run continues, and the model knows why. The \`assert\` lines say what to expect. [Adapters](adapters.md) explains the options, and [47 faults](faults.md) shows what each framework does alone.

${stories.join('\n')}
## Tools of another framework

\`fromTools\` wraps tools of the AI SDK and LangChain, \`fromMcp\` those of an MCP server ([adapters](adapters.md)). Wrap a tool of any other framework in a
\`defineTool\` that calls it. Give it the schema, so that wrong arguments do not reach the tool; pass on the signal; and if the framework returns
an error, throw it, so that it is classified.

\`npm install toolpact zod @mastra/core\`

\`\`\`ts
${programOf('mastra-tools')}\`\`\`
`;
}

function programOf(file: string): string {
  return readFileSync(new URL(`../examples/adapters/${file}.ts`, import.meta.url), 'utf8');
}
