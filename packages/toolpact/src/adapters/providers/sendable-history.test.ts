import { expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool, type JsonValue } from '../../index.ts';
import { evaluate as evaluateAnthropic } from '../anthropic/index.ts';
import { evaluate as evaluateGemini } from '../google-genai/index.ts';
import { evaluate as evaluateOpenai } from '../openai/index.ts';

const seen: unknown[] = [];
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  effects: 'none',
  input: z.looseObject({}),
  run: (input) => {
    seen.push(input);
    return 'seen';
  },
});
const toolbox = createToolbox([look], { report: () => undefined });

/** Plays a provider: gives one answer after the other, and keeps what it was sent. */
function play(answers: readonly object[]) {
  const requests: string[] = [];
  const create = async (request: unknown) => answers[requests.push(JSON.stringify(request)) - 1];
  return { create, history: () => JSON.parse(requests[1] ?? '{}') as Record<'messages' | 'contents', JsonValue[]> };
}

const half = '😀'.slice(0, 1);

async function sentToAnthropic(input: unknown) {
  const called = { stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't1', name: 'look', input }] };
  const { create, history } = play([called, { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] }]);
  const params = { messages: [{ role: 'user', content: 'Look.' }] };
  await evaluateAnthropic({ client: { messages: { create } }, toolbox, params: params as never });
  return history().messages[1];
}

async function sentToGemini(args: unknown) {
  const turn = (parts: object[]) => ({ candidates: [{ finishReason: 'STOP', content: { role: 'model', parts } }] });
  const { create, history } = play([turn([{ functionCall: { name: 'look', args } }]), turn([{ text: 'Done.' }])]);
  const client = { models: { generateContent: create, generateContentStream: create } };
  await evaluateGemini({ client, toolbox, params: { model: 'm', contents: 'Look.' } as never });
  return history().contents[1];
}

async function sentToOpenai(args: string) {
  const turn = (message: object) => ({ choices: [{ finish_reason: 'stop', message: { role: 'assistant', ...message } }] });
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: args } };
  const { create, history } = play([turn({ content: null, tool_calls: [call] }), turn({ content: 'Done.' })]);
  const params = { messages: [{ role: 'user', content: 'Look.' }] };
  await evaluateOpenai({ client: { chat: { completions: { create } } }, toolbox, strict: false, params: params as never });
  return history().messages[1];
}

test('half of a surrogate pair that a model sent does not go back to its provider, which would refuse the whole history', async () => {
  const input = { [`key${half}`]: [`text${half}`] };
  const healed = { 'key\ufffd': ['text\ufffd'] };
  expect(await sentToAnthropic(input)).toMatchObject({ content: [{ type: 'tool_use', id: 't1', input: healed }] });
  expect(await sentToGemini(input)).toMatchObject({ parts: [{ functionCall: { name: 'look', args: healed } }] });
  expect(await sentToOpenai(`{"text":"${half}"}`)).toMatchObject({ tool_calls: [{ function: { arguments: '{"text":"\ufffd"}' } }] });
});

test('arguments that a model encoded twice run, and go back as the object that providers insist on', async () => {
  const input = '{"id":7}';
  seen.length = 0;
  expect(await sentToAnthropic(input)).toMatchObject({ content: [{ type: 'tool_use', input: { id: 7 } }] });
  expect(await sentToGemini(input)).toMatchObject({ parts: [{ functionCall: { args: { id: 7 } } }] });
  expect(seen).toEqual([{ id: 7 }, { id: 7 }]);
});
