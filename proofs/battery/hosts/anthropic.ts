import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { evaluate } from 'toolpact/adapters/anthropic';
import { anthropicWire } from '../../../packages/toolpact/test/adapters/providers/anthropic-wire.ts';
import { runScripted } from '../../../packages/toolpact/test/adapters/providers/run-scripted.ts';
import type { BatteryHost, RunRecord, RunSetup } from '../host.ts';

/** Streamed, because only a stream carries arguments as the model wrote them. */
async function run(setup: RunSetup): Promise<RunRecord> {
  const record = await runScripted(anthropicWire, setup, async (origin) => {
    const client = new Anthropic({ apiKey: 'test', baseURL: origin, maxRetries: 0 });
    const params = { model: 'claude-5', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'Move five.' }] };
    if (setup.mode === 'toolpact') {
      return (await evaluate({ client, params, stream: true, toolbox: setup.toolbox })).text;
    }
    const tools = setup.tools.map(({ name, description, input, run: call }) =>
      betaZodTool({ name, description, inputSchema: input as never, run: inText(call as never) }),
    );
    const message = await client.beta.messages.toolRunner({ ...params, tools, stream: true, max_iterations: 3 });
    return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  });
  if (setup.mode === 'toolpact') return record;
  const app = Object.entries(record.toModel).flatMap(([id, { failed }]) => (failed === true ? [[id, { failed }]] : []));
  return { ...record, app: Object.fromEntries(app) };
}

/** The runner takes text only, so its users write what is no text as JSON. */
function inText(call: (args: unknown) => unknown): (args: unknown) => Promise<string> {
  return async (args) => {
    const result = await call(args);
    return typeof result === 'string' ? result : JSON.stringify(result);
  };
}

export const hosts: readonly BatteryHost[] = [
  { name: 'anthropic', title: 'Anthropic', adapter: 'anthropic', packages: ['@anthropic-ai/sdk'], run },
];
