import { type Action, genkit, type MiddlewareRef, type ModelArgument } from 'genkit';
import { createToolbox, defineTool } from 'toolpact';
import { type GenkitTool, toMiddleware, toTools } from 'toolpact/adapters/genkit';
import { expectTypeOf } from 'vitest';

const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([now]);
declare const model: ModelArgument;

expectTypeOf<GenkitTool>().toExtend<Action>();
toMiddleware(toolbox) satisfies MiddlewareRef;
const ai = genkit({});
await ai.generate({ model, prompt: '?', tools: toTools(toolbox), use: [toMiddleware(toolbox)] });
const own = ai.defineTool({ name: 'own', description: 'Own.' }, async () => 1);
await ai.generate({ model, prompt: '?', tools: [own, ...toTools(toolbox.with({ tenantId: 'acme' }))] });
