import { readFileSync } from 'node:fs';

/** The stories of examples/adapters, in the order of the page, and what to install for each. */
const frameworks: readonly (readonly [title: string, file: string, packages: string])[] = [
  ['AI SDK', 'ai-sdk', 'ai'],
  ['OpenAI Agents', 'openai-agents', '@openai/agents'],
  ['LangChain', 'langchain', 'langchain @langchain/core'],
  ['Mastra', 'mastra', '@mastra/core'],
  ['Google ADK', 'adk', '@google/adk @google/genai'],
  ['Genkit', 'genkit', 'genkit'],
  ['Strands', 'strands', '@strands-agents/sdk'],
  ['TanStack AI', 'tanstack-ai', '@tanstack/ai'],
  ['MCP', 'mcp', '@modelcontextprotocol/client @modelcontextprotocol/server'],
  ['OpenAI SDK', 'openai', 'openai'],
  ['Anthropic SDK', 'anthropic', '@anthropic-ai/sdk'],
  ['Google Gen AI SDK', 'google-genai', '@google/genai'],
];

/** Writes docs/frameworks.md from the stories that the test command runs. */
export function frameworksPage(): string {
  const stories = frameworks.map(([title, file, packages]) => {
    return `## ${title}\n\n\`npm install toolpact zod ${packages}\`\n\n\`\`\`ts\n${programOf(file)}\`\`\`\n`;
  });
  return `# Frameworks: a complete program for each

<!-- Written by \`npm run docs\` from examples/adapters. Do not edit. -->

Each program runs as it is, in a folder with \`"type": "module"\`. A fake model is included, so you need no API key. In each program a tool fails, the run continues,
and the model knows why; the \`assert\` lines state what to expect. [Adapters](adapters.md) lists the options, and what each framework does with 47 faults,
alone and with Toolpact. For LangGraph, use the adapter of LangChain.

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
