import { type Action, genkit, type MiddlewareRef, type ModelArgument, z } from 'genkit';
import { toJsonSchema } from 'genkit/schema';
import { expectTypeOf } from 'vitest';
import { fromTools, type GenkitTool, toMiddleware, toTools } from '../../src/edges/adapters/genkit/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';

const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([now]);
declare const model: ModelArgument;

expectTypeOf<GenkitTool>().toExtend<Action>();
toMiddleware(toolbox) satisfies MiddlewareRef;
const ai = genkit({});
await ai.generate({ model, prompt: '?', tools: toTools(toolbox), use: [toMiddleware(toolbox)] });
const own = ai.defineTool({ name: 'own', description: 'Own.' }, async () => 1);
await ai.generate({ model, prompt: '?', tools: [own, ...toTools(toolbox.with({ tenantId: 'acme' }))] });

const double = ai.defineTool({ name: 'double', description: 'Doubles.', inputSchema: z.object({ n: z.number() }) }, async ({ n }) => n * 2);
const [first] = fromTools([double], { toJsonSchema });
await first?.call({ n: 2 });
// @ts-expect-error n is a number
await first?.call({ n: 'two' });
await createToolbox(fromTools([own, double, ...toTools(toolbox)], { toJsonSchema })).answer({ name: 'own', args: {} });
