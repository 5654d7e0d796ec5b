import { preset } from '@toolpact/origins/value';
import OpenAI from 'openai';
import { createToolbox, defineTool, fail } from 'toolpact';
import { evaluate, PromptEvaluationError } from 'toolpact/adapters/openai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openaiChatWire } from '../../toolpact/test/adapters/providers/openai-chat-wire.ts';
import { type Reply, type ScriptedServer, serveScript } from '../../toolpact/test/adapters/providers/scripted-server.ts';
import { raise } from './start-box.ts';

let runs = 0;
const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  input: z.object({ path: z.string() }),
  effects: 'none',
  run({ path }) {
    runs += 1;
    if (path === 'error') throw new Error('…');
    if (path === 'busy') throw Object.assign(new Error('…'), { status: 503 });
    return path === 'returned' ? fail('not_found', '…') : path === 'text' ? raise('…') : { files: [] };
  },
});
const toolbox = createToolbox([list], { preset, report: () => undefined });

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function run(replies: readonly Reply[]) {
  server = await serveScript(openaiChatWire, replies);
  const client = new OpenAI({ apiKey: 'test', baseURL: `${server.origin}/v1`, maxRetries: 0 });
  const params = { model: 'gpt-5', messages: [{ role: 'user' as const, content: '?' }] };
  return evaluate({ client, params, toolbox });
}

const call = (id: string, path: string) => ({ id, name: 'list_files', json: JSON.stringify({ path }) });
const failing = ['error', 'busy', 'returned', 'text'];

describe('003 adapter handling', () => {
  test('003-11 no tool failure raises or ends the run', async () => {
    const calls = [
      ...failing.map((path) => call(path, path)),
      { id: 'bad', name: 'list_files', json: '{' },
      { id: 'no', name: 'nope', json: '{}' },
    ];
    const { text, rounds, outcomes } = await run([{ calls }, { text: 'Done.' }]);
    expect({ text, rounds, ends: outcomes.map(({ status }) => status) }).toEqual({
      text: 'Done.',
      rounds: 2,
      ends: Array.from(calls, () => 'error'),
    });
  });

  test('003-12 only a provider that fails, or whose answer cannot be read, ends it', async () => {
    await expect(run([{ status: 500 }])).rejects.toBeInstanceOf(PromptEvaluationError);
    await server?.close();
    await expect(run([{ body: '<html>', type: 'text/html' }])).rejects.toBeInstanceOf(PromptEvaluationError);
  });

  const page = '<!DOCTYPE html><html><body>Sign in</body></html>';
  test.each<[string, Reply, string]>([
    ['a page', { body: page, type: 'text/html' }, "The model provider's answer cannot be read: it has no choices."],
    [
      'a page that says it is JSON',
      { body: page, type: 'application/json' },
      `The model provider's answer cannot be read: Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
    ],
    [
      'a short page that says it is JSON',
      { body: '<html>hi</html>', type: 'application/json' },
      "The model provider's answer cannot be read: Unexpected token '<'",
    ],
  ])('003-12 a provider that answers with %s is told as what it is: no tool has failed', async (_, reply, message) => {
    await expect(run([reply])).rejects.toMatchObject({ name: 'PromptEvaluationError', message });
  });

  test('003-13 a `role: "tool"` message with the error is appended for each call, in order', async () => {
    await run([{ calls: failing.map((path) => call(path, path)) }, { text: 'Done.' }]);
    const messages = server?.requests[1]?.messages as { role: string; tool_call_id?: string; content?: string }[];
    expect(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual(
      failing.map((path) => [path, expect.stringContaining('…')]),
    );
  });

  test.each(failing)('003-14 the model gets `ToolResult(success=False, value=None, message="…")` (%s)', async (path) => {
    const { messages } = await run([{ calls: [call('call_1', path)] }, { text: 'Done.' }]);
    expect(messages.at(-2)).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: '{"success":false,"value":null,"message":"…"}',
    });
  });

  test.each([
    ['list_files', '{"path":"src",}', 'The arguments are not valid JSON at character 14 (near "{\\"path\\":\\"src\\",}").'],
    ['listFiles', '{"path":"src"}', 'There is no tool named "listFiles".'],
  ])('003-21 the adapter corrects nothing that the model sends (%s %s)', async (name, json, message) => {
    runs = 0;
    const { messages } = await run([{ calls: [{ id: 'call_1', name, json }] }, { text: 'Done.' }]);
    expect(messages.at(-2)).toMatchObject({ role: 'tool', content: JSON.stringify({ success: false, value: null, message }) });
    expect(runs).toBe(0);
  });

  test('003-21 the adapter does not try again', async () => {
    runs = 0;
    await run([{ calls: [call('call_1', 'busy')] }, { text: 'Done.' }]);
    expect(runs).toBe(1);
  });
});
