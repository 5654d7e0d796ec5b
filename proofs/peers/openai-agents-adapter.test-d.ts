import { Agent, type FunctionTool, type Model, Runner, run, tool, toolSearchTool } from '@openai/agents';
import { createToolbox, defineTool } from 'toolpact';
import { toRunOptions, toTools } from 'toolpact/adapters/openai-agents';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  run: () => ({ celsius: 21 }),
});
const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([forecast, now]);
declare const model: Model;

const tools = toTools(toolbox);
tools satisfies FunctionTool[];
expectTypeOf(tools[0]?.name).toEqualTypeOf<'weather_forecast' | 'now' | undefined>();

const agent = new Agent({ name: 'clerk', model, tools });
const result = await run(agent, 'Kyoto?', toRunOptions(toolbox));
expectTypeOf(result.finalOutput).toEqualTypeOf<string | undefined>();
await run(agent, 'Kyoto?', { ...toRunOptions(toolbox), stream: true, maxTurns: 3 });
new Runner(toRunOptions(toolbox.with({ tenantId: 'acme' })));

interface Account {
  readonly id: string;
}
const own = tool({ name: 'own', description: 'Own.', parameters: z.object({}), execute: () => 'x' });
const withContext = new Agent<Account>({ name: 'clerk', model, tools: [...tools, own] });
await run(withContext, 'Kyoto?', { ...toRunOptions(toolbox), context: { id: 'a-1' } });
new Agent({ name: 'clerk', model, tools: [toolSearchTool(), ...toTools(toolbox, { providerSearch: true })] });
