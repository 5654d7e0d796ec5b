import * as strands from '@strands-agents/sdk';
import { Agent, type Model, type Plugin, type Tool, type ToolResultBlock, tool } from '@strands-agents/sdk';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import type { StrandsResult } from '../../src/edges/adapters/strands/index.ts';
import { toPlugin, toTools } from '../../src/edges/adapters/strands/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';

const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([now]);
declare const model: Model;

const tools = toTools(toolbox);
tools satisfies Tool[];
expectTypeOf<StrandsResult>().toExtend<ToolResultBlock>();
toPlugin(toolbox) satisfies Plugin;
toPlugin(toolbox, { sdk: strands }) satisfies Plugin;

const own = tool({ name: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }), callback: ({ n }) => n });
new Agent({ model, tools: [own, toTools(toolbox.with({ tenantId: 'acme' }))], plugins: [toPlugin(toolbox)] });
