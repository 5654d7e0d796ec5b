import { preset } from '@toolpact/origins/value';
import type OpenAI from 'openai';
import { createToolbox, defineTool, fail, ok, type ToolboxOptions } from 'toolpact';
import { evaluate } from 'toolpact/adapters/openai';
import { z } from 'zod';
import { listFiles } from '../file-handlers.ts';

const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  input: z.object({ path: z.string() }),
  effects: 'none',
  run(params) {
    const found = listFiles(params);
    if ('payload' in found) return fail('forbidden', 'The folder is locked.', { data: { ...found.payload } });
    return ok(found, { message: `Listed ${found.files.length} file.` });
  },
});

/** Asks the model and answers its calls until it makes none: no loop, no `try`, no result by hand. */
export async function runPrompt(client: OpenAI, question: string, report: NonNullable<ToolboxOptions['report']>): Promise<string> {
  const toolbox = createToolbox([list], { preset, report });
  const params = { model: 'gpt-5', messages: [{ role: 'user' as const, content: question }] };
  return (await evaluate({ client, params, toolbox })).text;
}
