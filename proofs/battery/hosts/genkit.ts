import { type GenerateRequest, genkit, type MessageData } from 'genkit';
import { logger } from 'genkit/logging';
import { toMiddleware, toTools } from 'toolpact/adapters/genkit';
import { z } from 'zod';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type ToldModel, type ToolSpec } from '../host.ts';

logger.setLogLevel('error');

async function run(setup: RunSetup): Promise<RunRecord> {
  const ai = genkit({});
  const requests: MessageData[][] = [];
  const model = ai.defineModel({ name: 'scripted', supports: { tools: true, multiturn: true } }, async ({ messages }: GenerateRequest) => {
    requests.push(JSON.parse(JSON.stringify(messages)));
    const calls = setup.calls.map(({ id, name, args }) => ({ toolRequest: { ref: id, name, input: args } }));
    const content = requests.length === 1 ? calls : [{ text: finalAnswer }];
    return { message: { role: 'model', content }, finishReason: 'stop' };
  });
  if (setup.mode === 'toolpact') {
    const { toolbox } = setup;
    const tools = toTools(toolbox);
    const { text } = await ai.generate({ model, prompt: 'go', tools, use: [toMiddleware(toolbox)] });
    return { answer: text, ...readMessages(requests[1] ?? []) };
  }
  const tools = bareTools(ai, setup.tools);
  const { text } = await ai.generate({ model, prompt: 'go', tools });
  return { answer: text, ...readMessages(requests[1] ?? []) };
}

/** Creates the framework's own tools. */
export function bareTools(ai: ReturnType<typeof genkit>, tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, input, output, run }) =>
    // Genkit brings a zod of its own; other schemas go in as JSON Schema.
    ai.defineTool(
      {
        name,
        description,
        inputJsonSchema: toSchema(input),
        ...(output !== undefined && { outputJsonSchema: toSchema(output) }),
      } as never,
      (async (args: unknown) => run(args as never)) as never,
    ),
  );
}

function toSchema(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return plain;
}

function readMessages(messages: readonly MessageData[]): Pick<RunRecord, 'toModel' | 'history'> {
  const toModel: Record<string, ToldModel> = {};
  const history: Record<string, unknown> = {};
  for (const { toolRequest, toolResponse } of messages.flatMap(({ content }) => content)) {
    if (toolRequest !== undefined) history[String(toolRequest.ref)] = toolRequest.input;
    if (toolResponse === undefined) continue;
    const { ref, output, content = [] } = toolResponse;
    toModel[String(ref)] = { text: [output, ...content].map(toText).join('\n') };
  }
  return { toModel, history };
}

function toText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

/** Real generations with Genkit. */
export const hosts: readonly BatteryHost[] = [
  { name: 'genkit', title: 'Genkit', adapter: 'genkit', packages: ['genkit'], hasOutputSchema: true, run },
];
