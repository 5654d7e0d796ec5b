import OpenAI from 'openai';
import { ResponsesToolRunner, runnerFunction } from 'openai/helpers/responses-tool-runner';
import { zodResponsesFunction } from 'openai/helpers/zod';
import { evaluate } from 'toolpact/adapters/openai';
import { openaiResponsesWire } from '../../../packages/toolpact/test/adapters/providers/openai-responses-wire.ts';
import { runScripted } from '../../../packages/toolpact/test/adapters/providers/run-scripted.ts';
import type { BatteryHost, RunRecord, RunSetup } from '../host.ts';

function run(setup: RunSetup): Promise<RunRecord> {
  return runScripted(openaiResponsesWire, setup, async (origin) => {
    const client = new OpenAI({ apiKey: 'test', baseURL: `${origin}/v1`, maxRetries: 0 });
    const params = { model: 'gpt-5', input: [{ role: 'user' as const, content: 'Move five.' }] };
    if (setup.mode === 'toolpact') {
      return (await evaluate({ client, params, toolbox: setup.toolbox })).text;
    }
    const functions = setup.tools.map(({ name, description, input, run: call }) =>
      runnerFunction(zodResponsesFunction({ name, description, parameters: input as never, function: inText(call as never) })),
    );
    return (await new ResponsesToolRunner({ functions }).run(client, params)).output_text;
  });
}

/** The runner takes text only, so its users write what is no text as JSON. */
function inText(call: (args: unknown) => unknown): (args: unknown) => Promise<unknown> {
  return async (args) => {
    const result = await call(args);
    return typeof result === 'string' ? result : JSON.stringify(result);
  };
}

export const hosts: readonly BatteryHost[] = [
  { name: 'openai-responses', title: 'OpenAI Responses', adapter: 'openai', packages: ['openai'], run },
];
