import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openaiChatWire } from '../../toolpact/test/adapters/providers/openai-chat-wire.ts';
import { serveScript } from '../../toolpact/test/adapters/providers/scripted-server.ts';
import { runPrompt as runAfter } from './after/openai-loop.ts';
import { runPrompt as runBefore } from './before/openai-loop.ts';
import { raised } from './file-handlers.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Runs a program against a scripted provider that calls the tool once per path, and gives the tool messages that the provider was sent. */
async function sent(run: (client: OpenAI) => Promise<unknown>, paths: readonly string[]) {
  const calls = paths.map((path, index) => ({ id: `call_${index}`, name: 'list_files', json: JSON.stringify({ path }) }));
  const server = await serveScript(openaiChatWire, [{ calls }, { text: 'Done.' }]);
  try {
    const said = await run(new OpenAI({ apiKey: 'test', baseURL: `${server.origin}/v1`, maxRetries: 0 }));
    const messages = (server.requests[1]?.messages ?? []) as Message[];
    return { said, tools: messages.filter(({ role }) => role === 'tool').map((message) => JSON.stringify(message)) };
  } finally {
    await server.close();
  }
}

const compare = async (paths: readonly string[]) => {
  const logged: unknown[] = [];
  const reported: unknown[] = [];
  const before = await sent((client) => runBefore(client, 'Which files?', (error) => logged.push(error)), paths);
  const after = await sent((client) => runAfter(client, 'Which files?', ({ error }) => reported.push(error)), paths);
  return { before, after, logged, reported };
};

test('a success gives the same tool message before and after', async () => {
  const { before, after } = await compare(['src']);
  expect(after).toEqual(before);
  expect(after.tools).toEqual([
    JSON.stringify({
      role: 'tool',
      tool_call_id: 'call_0',
      content: '{"success":true,"value":{"files":["src/a.ts"]},"message":"Listed 1 file."}',
    }),
  ]);
});

test.each(Object.keys(raised))('what a handler raises for %j gives the same tool message before and after', async (path) => {
  const { before, after } = await compare([path]);
  expect(after).toEqual(before);
  expect(after.tools[0]).toContain('{\\"success\\":false,\\"value\\":null,\\"message\\":\\"');
});

test('a structured payload of a failure gives the same tool message before and after', async () => {
  const { before, after } = await compare(['/locked']);
  expect(after).toEqual(before);
  expect(after.tools[0]).toContain(
    '{\\"success\\":false,\\"value\\":{\\"tried\\":\\"/locked\\"},\\"message\\":\\"The folder is locked.\\"}',
  );
});

test('calls of one turn give the same tool messages in the same order, and the run goes on', async () => {
  const { before, after, logged, reported } = await compare(['src', ...Object.keys(raised), '/locked', 'test']);
  expect(after).toEqual(before);
  expect(after.said).toBe('Done.');
  expect(logged).toHaveLength(Object.keys(raised).length);
  // A failure that a tool returns is reported like one that it raises.
  expect(reported).toHaveLength(logged.length + 1);
});
