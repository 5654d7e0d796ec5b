import { type CallableTool, type FunctionCall, GoogleGenAI } from '@google/genai';
import { evaluate } from 'toolpact/adapters/google-genai';
import { z } from 'zod';
import { geminiWire } from '../../../packages/toolpact/test/adapters/providers/gemini-wire.ts';
import { runScripted } from '../../../packages/toolpact/test/adapters/providers/run-scripted.ts';
import type { BareSetup, BatteryHost, RunRecord, RunSetup } from '../host.ts';

function run(setup: RunSetup): Promise<RunRecord> {
  return runScripted(geminiWire, setup, async (baseUrl) => {
    const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl, retryOptions: { attempts: 1 } } });
    const params = { model: 'gemini-3', contents: 'Move five.' };
    if (setup.mode === 'toolpact') {
      return (await evaluate({ client, params, toolbox: setup.toolbox })).text;
    }
    return (await client.models.generateContent({ ...params, config: { tools: [toCallable(setup)] } })).text;
  });
}

/** The client's automatic function calling leaves finding and running functions to its user. */
function toCallable({ tools }: BareSetup): CallableTool {
  const functions: Readonly<Record<string, (args: never) => unknown>> = Object.fromEntries(
    tools.map(({ name, run: call }) => [name, call]),
  );
  const answer = async ({ id, name = '', args }: FunctionCall) => {
    const output = await functions[name]?.(args as never);
    return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } };
  };
  return {
    tool: async () => ({
      functionDeclarations: tools.map(({ name, description, input }) => ({
        name,
        description,
        parametersJsonSchema: z.toJSONSchema(input),
      })),
    }),
    callTool: (calls) => Promise.all(calls.map(answer)),
  };
}

export const hosts: readonly BatteryHost[] = [
  { name: 'google-genai', title: 'Gemini', adapter: 'google-genai', packages: ['@google/genai'], run },
];
