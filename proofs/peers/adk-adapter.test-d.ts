import { type BaseLlm, type BaseTool, FunctionTool, LlmAgent, type SingleBeforeModelCallback } from '@google/adk';
import { createToolbox, defineTool } from 'toolpact';
import { type AdkTool, toBeforeModelCallback, toTools } from 'toolpact/adapters/adk';
import { expectTypeOf } from 'vitest';

const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([now]);
declare const model: BaseLlm;

expectTypeOf(toTools(toolbox)).toEqualTypeOf<AdkTool[]>();
// The mark of a tool has no public type; in all else one of ours is a tool of ADK's.
declare const real: BaseTool;
real satisfies Pick<AdkTool, 'name' | 'description' | 'isLongRunning'>;
type Reach = Parameters<AdkTool['runAsync']>[0];
expectTypeOf<Parameters<BaseTool['runAsync']>[0]>().toExtend<Reach>();
expectTypeOf<Awaited<ReturnType<AdkTool['runAsync']>>>().toExtend<object>();
expectTypeOf<ReturnType<AdkTool['_getDeclaration']>>().toExtend<ReturnType<BaseTool['_getDeclaration']>>();
expectTypeOf<AdkTool['checkRequireConfirmation']>().toExtend<BaseTool['checkRequireConfirmation']>();

toBeforeModelCallback(toolbox) satisfies SingleBeforeModelCallback;

new LlmAgent({ name: 'a', model, tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) });
const own = new FunctionTool({ name: 'own', description: 'Own.', execute: () => 1 });
new LlmAgent({ name: 'b', model, tools: [own, ...toTools<BaseTool>(toolbox.with({ tenantId: 'acme' }))] });
