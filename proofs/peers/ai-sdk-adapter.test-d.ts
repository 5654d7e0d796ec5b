import {
  generateText,
  type InferToolInput,
  type InferToolOutput,
  isStepCount,
  type LanguageModel,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  tool,
} from 'ai';
import { type AnyTool, createToolbox, defineTool, type Outcome } from 'toolpact';
import { fromTools, toRunOptions, toTools } from 'toolpact/adapters/ai-sdk';
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
const options = toRunOptions(toolbox);
await generateText({ model, prompt: '?', ...options, stopWhen: [options.stopWhen, isStepCount(5)] });

const wrapped = fromTools({ double: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 }) });
createToolbox(wrapped);
expectTypeOf(wrapped[0]?.name).toEqualTypeOf<'double' | undefined>();

// Arguments and results keep their types, however a tool gives its result.
async function* search(): AsyncGenerator<{ found: number }> {
  yield { found: 1 };
}
const own = createToolbox(
  fromTools({
    double: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 }),
    load: tool({ inputSchema: z.object({ id: z.string() }), execute: async ({ id }) => ({ id, title: 'Tea' }) }),
    search: tool({ inputSchema: z.object({ q: z.string() }), execute: search }),
    again: tool({ inputSchema: z.object({ city: z.string() }), execute: async (input) => forecast.call(input) }),
  }),
);
const loaded = await own.call('load', { id: '1' });
if (loaded.status === 'ok') expectTypeOf(loaded.data).toEqualTypeOf<{ id: string; title: string }>();
const doubled = await own.call('double', { n: 1 });
if (doubled.status === 'ok') expectTypeOf(doubled.data).toEqualTypeOf<number>();
const found = await own.call('search', { q: '' });
if (found.status === 'ok') expectTypeOf(found.data).toEqualTypeOf<{ found: number }>();
const again = await own.call('again', { city: '' });
if (again.status === 'ok') expectTypeOf(again.data).toEqualTypeOf<{ celsius: number }>();
// @ts-expect-error a number is asked for
await own.call('double', { n: 'x' });
const withOwn = await generateText({ model, prompt: '?', ...toRunOptions(own) });
for (const result of withOwn.toolResults)
  if (!result.dynamic && result.toolName === 'load' && result.output.status === 'ok')
    expectTypeOf(result.output.data.title).toEqualTypeOf<string>();

// A list of tools that is made elsewhere has no names of its own.
declare const anyTools: AnyTool[];
const loose = toRunOptions(createToolbox(anyTools));
loose.tools satisfies ToolSet;
const anyRun = await generateText({ model, prompt: '?', ...loose });
for (const result of anyRun.toolResults) expectTypeOf(result.toolName).toEqualTypeOf<string>();
await generateText({ model, prompt: '?', tools: toTools(createToolbox(anyTools)) });
streamText({ model, prompt: '?', ...loose });
new ToolLoopAgent({ model, ...loose });
