import { Agent, type ToolsInput } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { InputProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { toInputProcessor, toTools } from 'toolpact/adapters/mastra';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  output: z.object({ celsius: z.number() }),
  failures: { no_station: 'not_found' },
  run: () => ({ celsius: 21 }),
});
const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([forecast, now]);
declare const model: MastraModelConfig;

const tools = toTools(toolbox);
tools satisfies ToolsInput;
expectTypeOf<keyof typeof tools>().toEqualTypeOf<'weather_forecast' | 'now'>();
expectTypeOf(tools.weather_forecast.id).toEqualTypeOf<'weather_forecast'>();
expectTypeOf<Parameters<typeof tools.weather_forecast.execute>[0]>().toEqualTypeOf<{ city: string; days?: number | undefined }>();
const outcome = await tools.weather_forecast.execute({ city: 'Kyoto' });
expectTypeOf(outcome).toExtend<Outcome<{ celsius: number }>>();
if (outcome.status === 'ok') expectTypeOf(outcome.data.celsius).toEqualTypeOf<number>();

toInputProcessor(toolbox) satisfies InputProcessor;

const own = createTool({ id: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n });
new Agent({
  id: 'a',
  name: 'a',
  instructions: '',
  model,
  tools: { ...toTools(toolbox.with({ tenantId: 'acme' })), own },
  inputProcessors: [toInputProcessor(toolbox)],
});
