import { flat, preset as flatPreset } from '@toolpact/origins/flat';
import { value, preset as valuePreset } from '@toolpact/origins/value';
import { createToolbox, defineTool, fail, ok, type Preset } from 'toolpact';
import { type AdapterOptions, toTools as toAdkTools } from 'toolpact/adapters/adk';
import { toTools as toAiSdkTools } from 'toolpact/adapters/ai-sdk';
import { answerToolCalls as answerAnthropic } from 'toolpact/adapters/anthropic';
import { toTools as toGenkitTools } from 'toolpact/adapters/genkit';
import { answerToolCalls as answerGemini } from 'toolpact/adapters/google-genai';
import { toTools as toLangchainTools } from 'toolpact/adapters/langchain';
import { toTools as toMastraTools } from 'toolpact/adapters/mastra';
import { toMcpServer } from 'toolpact/adapters/mcp';
import { answerToolCalls as answerOpenai } from 'toolpact/adapters/openai';
import { toTools as toOpenaiAgentsTools } from 'toolpact/adapters/openai-agents';
import { toTools as toStrandsTools } from 'toolpact/adapters/strands';
import { toTools as toTanstackTools } from 'toolpact/adapters/tanstack-ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isCleanText } from '../../toolpact/src/json/index.ts';
import { connect } from '../../toolpact/test/adapters/mcp-connect.ts';

// Half a surrogate pair and control characters: providers refuse them for the rest of a conversation.
const dirty = 'a\ud83d b\u0000 c\u001b[31m d\udc00\u0007';

const weather = defineTool({
  name: 'weather',
  description: 'Returns the weather.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: ({ city }) => {
    if (city === 'Atlantis') return fail('not_found', 'There is no such city.');
    if (city === 'torn result') return ok({ celsius: 21, [dirty]: [dirty] }, { message: dirty, warnings: [dirty] });
    if (city === 'torn error') throw new Error(dirty);
    return ok({ celsius: 21 }, { message: 'Measured just now.' });
  },
});
const boxOf = (preset?: Preset) => createToolbox([weather], { ...(preset && { preset }), report: () => undefined });
const plain = boxOf();

interface Told {
  /** The text for the model, parsed if it is JSON. */
  readonly read: unknown;
  /** The host's own failure flag, where it has one. */
  readonly failed?: unknown;
}
type Ask = (toolbox: typeof plain, options: Pick<AdapterOptions, 'dialect'>, args: { city: string }) => Promise<Told>;

// The hosts' own types are looked at in proofs/peers; here only what a model would be sent counts.
type Loose = (...given: unknown[]) => Promise<{ readonly type: string; readonly value: unknown }>;
const parse = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
};

const adapters: Readonly<Record<string, Ask>> = {
  'ai-sdk': async (toolbox, options, args) => {
    const { weather: tool } = toAiSdkTools(toolbox, options) as unknown as { weather: Record<'execute' | 'toModelOutput', Loose> };
    const { type, value: text } = await tool.toModelOutput({ output: await tool.execute(args, {}) });
    return { read: parse(text), failed: type === 'error-text' };
  },
  adk: async (toolbox, options, args) => ({ read: await toAdkTools(toolbox, options)[0]?.runAsync({ args, toolContext: {} }) }),
  genkit: async (toolbox, options, args) => {
    const { output, metadata } = (await toGenkitTools(toolbox, options)[0]?.(args)) ?? {};
    return { read: output, failed: metadata?.toolpact.status === 'error' };
  },
  langchain: async (toolbox, options, args) => {
    const call = { type: 'tool_call', id: 'c', name: 'weather', args };
    const { content, status } = (await toLangchainTools(toolbox, options)[0].invoke(call)) as { content: string; status: string };
    return { read: parse(content), failed: status === 'error' };
  },
  mastra: async (toolbox, options, args) => {
    const { weather: tool } = toMastraTools(toolbox, options);
    const told = tool.toModelOutput((await tool.execute(args as never)) as never);
    return { read: parse(told.value), failed: told.type === 'error-text' };
  },
  'openai-agents': async (toolbox, options, args) => ({
    read: parse(await toOpenaiAgentsTools(toolbox, options)[0]?.invoke({}, JSON.stringify(args))),
  }),
  strands: async (toolbox, options, args) => {
    const context = { toolUse: { name: 'weather', toolUseId: 'c', input: args } };
    const { value: result } = (await toStrandsTools(toolbox, options)[0]?.stream(context).next()) ?? {};
    const { content, status } = result as { content: { text: string }[]; status: string };
    return { read: parse(content[0]?.text), failed: status === 'error' };
  },
  'tanstack-ai': async (toolbox, options, args) => {
    const [tool] = toTanstackTools(toolbox, options);
    try {
      return { read: parse(await tool?.execute(args)) };
    } catch (error) {
      return { read: (error as Error).message, failed: true };
    }
  },
  'openai chat': async (toolbox, options, args) => {
    const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: JSON.stringify(args) } };
    const [message] = await answerOpenai({ choices: [{ message: { tool_calls: [call] } }] }, toolbox, {}, options);
    expect(message).toMatchObject({ role: 'tool', tool_call_id: 'c' });
    return { read: parse(message?.content) };
  },
  'openai responses': async (toolbox, options, args) => {
    const call = { type: 'function_call', call_id: 'c', name: 'weather', arguments: JSON.stringify(args) };
    const [item] = await answerOpenai({ output: [call] }, toolbox, {}, options);
    return { read: parse(item?.output) };
  },
  anthropic: async (toolbox, options, args) => {
    const [message] = await answerAnthropic(
      { content: [{ type: 'tool_use', id: 'c', name: 'weather', input: args }] },
      toolbox,
      {},
      options,
    );
    const [{ content, is_error } = {}] = (message?.content ?? []) as { content?: unknown; is_error?: boolean }[];
    return { read: parse(content), failed: is_error === true };
  },
  mcp: async (toolbox, options, args) => {
    const client = await connect('v2 → v2', (server) => toMcpServer(toolbox, { ...options, server }));
    const { content, isError } = await client.callTool({ name: 'weather', arguments: args });
    await client.close();
    const [{ text } = {}] = content as { text?: string }[];
    return { read: parse(text), failed: isError === true };
  },
  gemini: async (toolbox, options, args) => {
    const parts = [{ functionCall: { id: 'c', name: 'weather', args } }];
    const [content] = await answerGemini({ candidates: [{ content: { parts } }] }, toolbox, {}, options);
    const [part] = content?.parts ?? [];
    return { read: part && 'functionResponse' in part ? part.functionResponse.response : undefined };
  },
};

/** Lists all strings and keys of a value. */
function textsOf(given: unknown): string[] {
  if (typeof given === 'string') return [given];
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([key, held]) => [key, ...textsOf(held)]);
}

const noCity = expect.stringContaining('There is no such city.');
const cases = [
  ['flat', 'Paris', flat, { success: true, error: null, city: 'Paris', celsius: 21 }],
  ['flat', 'Atlantis', flat, { success: false, error: noCity, city: 'Atlantis' }],
  ['value', 'Paris', value, { success: true, value: { celsius: 21 }, message: 'Measured just now.' }],
  ['value', 'Atlantis', value, { success: false, value: null, message: noCity }],
] as const;

describe.each(Object.entries(adapters))('%s', (_, ask) => {
  test.each(cases)('gives the model the envelope of the dialect %s (%s)', async (_name, city, dialect, envelope) => {
    const { read, failed = city === 'Atlantis' } = await ask(plain, { dialect }, { city });
    expect(read).toEqual(envelope);
    expect(failed).toBe(city === 'Atlantis');
  });

  test.each(cases)('follows the preset of the toolbox, once it is given there: %s (%s)', async (name, city, _dialect, envelope) => {
    const { read, failed = city === 'Atlantis' } = await ask(boxOf(name === 'flat' ? flatPreset : valuePreset), {}, { city });
    expect(read).toEqual(envelope);
    expect(failed).toBe(city === 'Atlantis');
  });

  test('takes its own dialect in spite of a preset', async () => {
    const { read } = await ask(boxOf(flatPreset), { dialect: value }, { city: 'Paris' });
    expect(read).toEqual({ success: true, value: { celsius: 21 }, message: 'Measured just now.' });
  });

  test.each(['torn result', 'torn error'])('no text that providers refuse reaches the model: %s', async (city) => {
    for (const options of [{}, { dialect: flat }, { dialect: value }]) {
      const { read } = await ask(plain, options, { city });
      expect(JSON.stringify(read)).toContain('a');
      expect(textsOf(read).filter((text) => !isCleanText(text))).toEqual([]);
    }
  });

  test.each(['Paris', 'Atlantis'])('without a dialect, the model reads the message and the flag is right (%s)', async (city) => {
    const { read, failed = city === 'Atlantis' } = await ask(plain, {}, { city });
    expect(JSON.stringify(read)).toContain(city === 'Paris' ? 'Measured just now.' : 'There is no such city.');
    expect(failed).toBe(city === 'Atlantis');
  });
});

describe('a file that no model is shown is named', () => {
  const zip = { type: 'resource' as const, uri: 'file:///report.zip', mimeType: 'application/zip', blob: 'UEs=' };
  const pack = defineTool({
    name: 'pack',
    description: 'Packs.',
    effects: 'none',
    run: () => ok({ files: 2 }, { content: [zip as never] }),
  });
  const packing = createToolbox([pack]);
  const named = { success: true, value: { files: 2 }, message: '[resource: file:///report.zip]' };

  test('in the message of the envelope, by ADK and Genkit', async () => {
    expect(await toAdkTools(packing, { dialect: value })[0]?.runAsync({ args: {}, toolContext: {} } as never)).toEqual(named);
    expect((await toGenkitTools(packing, { dialect: value })[0]?.({}))?.output).toEqual(named);
  });

  test('beside every envelope, by the SDK of Google', async () => {
    const response = { candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'pack', args: {} } }] } }] };
    const answers = JSON.stringify(await answerGemini(response as never, packing, {}, { dialect: flat }));
    expect(answers).toContain('[resource: file:///report.zip]');
  });
});
