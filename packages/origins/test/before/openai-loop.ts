import type OpenAI from 'openai';
import { listFiles, type Params } from '../file-handlers.ts';

/** The result of every tool: success or failure, a value that may be missing, and a text for people. */
interface ToolResult {
  readonly success: boolean;
  readonly value: object | null;
  readonly message: string;
}

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'list_files',
      description: 'Lists files.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  },
];

/** Asks the model and answers its calls until it makes none, as the author of 003 has it. */
export async function runPrompt(client: OpenAI, question: string, log: (error: unknown) => void): Promise<string | null> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('the provider sent no message');
    messages.push(message);
    if (message.tool_calls === undefined) return message.content;
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue;
      const result = execute(JSON.parse(call.function.arguments) as Params, log);
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) });
    }
  }
}

function execute(params: Params, log: (error: unknown) => void): ToolResult {
  try {
    const found = listFiles(params);
    if ('payload' in found) return { success: false, value: found.payload, message: 'The folder is locked.' };
    return { success: true, value: found, message: `Listed ${found.files.length} file.` };
  } catch (error) {
    log(error);
    return { success: false, value: null, message: error instanceof Error ? error.message : String(error) };
  }
}
