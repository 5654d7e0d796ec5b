import { type AnyServerTool, type AnyTextAdapter, type ChatMiddleware, chat, toolDefinition } from '@tanstack/ai';
import { createToolbox, defineTool } from 'toolpact';
import { toRunOptions, toTools } from 'toolpact/adapters/tanstack-ai';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  run: () => ({ celsius: 21 }),
});
const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([forecast, now]);
declare const adapter: AnyTextAdapter;

const tools = toTools(toolbox);
tools satisfies AnyServerTool[];
expectTypeOf(tools[0]?.name).toEqualTypeOf<'weather_forecast' | 'now' | undefined>();
type Forecast = Extract<(typeof tools)[number], { readonly name: 'weather_forecast' }>;
expectTypeOf<Parameters<Forecast['execute']>[0]>().toEqualTypeOf<{ city: string; days?: number | undefined }>();

const options = toRunOptions(toolbox, adapter);
expectTypeOf(options.adapter).toEqualTypeOf<AnyTextAdapter>();
options.middleware satisfies ChatMiddleware[];

const own = toolDefinition({ name: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }) }).server(({ n }) => n);
const messages = [{ role: 'user' as const, content: 'Kyoto?' }];
chat({ adapter, messages, tools });
chat({ messages, ...options });
chat({ messages, ...options, tools: [own, ...toTools(toolbox.with({ tenantId: 'acme' }))] });
