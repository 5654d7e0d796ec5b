import { generateText, type InferToolInput, type InferToolOutput, type LanguageModel, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { fromTools, toRunOptions, toTools } from 'toolpact/adapters/ai-sdk';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  output: z.object({ celsius: z.number() }),
  failures: { no_station: 'not_found' },
  run: () => ({ celsius: 21 }),
});
const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([forecast, now]);
declare const model: LanguageModel;

const tools = toTools(toolbox);
tools satisfies ToolSet;
expectTypeOf(tools).toHaveProperty('weather_forecast');
expectTypeOf<InferToolInput<typeof tools.weather_forecast>>().toEqualTypeOf<{ city: string; days?: number | undefined }>();
expectTypeOf<Extract<InferToolOutput<typeof tools.weather_forecast>, { status: 'ok' }>['data']>().toEqualTypeOf<{ celsius: number }>();
expectTypeOf<Extract<InferToolOutput<typeof tools.now>, { status: 'ok' }>['data']>().toEqualTypeOf<string>();

const run = await generateText({ model, prompt: '?', ...toRunOptions(toolbox.with({ tenantId: 'acme' })) });
for (const result of run.toolResults) {
  if (result.dynamic || result.toolName !== 'weather_forecast') continue;
  expectTypeOf(result.input.city).toEqualTypeOf<string>();
  expectTypeOf(result.output).toExtend<Outcome<{ celsius: number }>>();
  if (result.output.status === 'ok') expectTypeOf(result.output.data.celsius).toEqualTypeOf<number>();
}

new ToolLoopAgent({ model, ...toRunOptions(toolbox) });

const wrapped = fromTools({ double: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 }) });
createToolbox(wrapped);
expectTypeOf(wrapped[0]?.name).toEqualTypeOf<'double' | undefined>();
