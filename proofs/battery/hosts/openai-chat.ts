import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { evaluate } from 'toolpact/adapters/openai';
import { openaiChatWire } from '../../../packages/toolpact/test/adapters/providers/openai-chat-wire.ts';
import { runScripted } from '../../../packages/toolpact/test/adapters/providers/run-scripted.ts';
import type { BatteryHost, RunRecord, RunSetup } from '../host.ts';

function run(setup: RunSetup): Promise<RunRecord> {
  return runScripted(openaiChatWire, setup, async (origin) => {
    const client = new OpenAI({ apiKey: 'test', baseURL: `${origin}/v1`, maxRetries: 0 });
    const params = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'Move five.' }] };
    if (setup.mode === 'toolpact') return (await evaluate({ client, params, toolbox: setup.toolbox })).text;
    const tools = setup.tools.map(({ name, description, input, run: call }) =>
      zodFunction({ name, description, parameters: input as never, function: call as never }),
    );
    return client.chat.completions.runTools({ ...params, tools: tools as never }).finalContent();
  });
}

export const hosts: readonly BatteryHost[] = [{ name: 'openai-chat', title: 'OpenAI chat', adapter: 'openai', packages: ['openai'], run }];
