import * as strands from '@strands-agents/sdk';
import { Agent, type Model, type Plugin, type Tool, type ToolResultBlock, tool } from '@strands-agents/sdk';
import { createToolbox, defineTool } from 'toolpact';
import { type StrandsTool, toPlugin, toTools } from 'toolpact/adapters/strands';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([now]);
declare const model: Model;

type Result = ReturnType<StrandsTool['stream']> extends AsyncGenerator<unknown, infer TResult> ? TResult : never;

const tools = toTools(toolbox);
tools satisfies Tool[];
expectTypeOf<Result>().toExtend<ToolResultBlock>();
toPlugin(toolbox) satisfies Plugin;
toPlugin(toolbox, { sdk: strands }) satisfies Plugin;

const own = tool({ name: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }), callback: ({ n }) => n });
new Agent({ model, tools: [own, toTools(toolbox.with({ tenantId: 'acme' }))], plugins: [toPlugin(toolbox)] });
