import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Server as ServerV2 } from '@modelcontextprotocol/server';
import { StdioServerTransport as StdioV2, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { toMcpServer } from '../../src/adapters/mcp/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';

/** A program that serves one tool on its standard input and output, with either SDK: `v1`, `v2` or `v2-serve`. */

const double = defineTool({
  name: 'double',
  description: 'Doubles a number.',
  input: z.object({ n: z.number() }),
  output: z.object({ doubled: z.number() }),
  effects: 'none',
  run: ({ n }, { fail }) => (n < 0 ? fail('conflict', 'Only what is positive can be doubled.') : { doubled: n * 2 }),
});
const toolbox = createToolbox([double], { report: () => undefined });
const info = { name: 'doubler', version: '1.0.0' };

const kinds: Record<string, () => unknown> = {
  v1: () => toMcpServer(toolbox, { server: new ServerV1(info) }).connect(new StdioV1()),
  v2: () => toMcpServer(toolbox, { server: new ServerV2(info) }).connect(new StdioV2()),
  'v2-serve': () => serveStdio(() => toMcpServer(toolbox, { server: new ServerV2(info) })),
};
await kinds[process.argv[2] ?? 'v2']?.();
