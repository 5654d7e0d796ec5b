// Task: "Serve the tool over HTTP and MCP to callers that have our API key."
import { defineTool } from 'toolpact';
import { z } from 'zod';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string().describe('For example, Ann.') }),
  output: z.string(),
  effects: 'none',
  examples: [{ input: { name: 'Ann' } }],
  run: ({ name }) => `Hello, ${name}!`,
});
