import { generateText, toolSearch } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { providerToolSearchMiddleware } from 'langchain';
import { createToolbox, defineTool } from 'toolpact';
import { toTools as toAiSdk, toRunOptions } from 'toolpact/adapters/ai-sdk';
import { answerToolCalls, toTools as toAnthropic } from 'toolpact/adapters/anthropic';
import { toTools as toLangchain } from 'toolpact/adapters/langchain';
import { toTools as toOpenai } from 'toolpact/adapters/openai';
import { toTools as toOpenaiAgents } from 'toolpact/adapters/openai-agents';
import { expect, test } from 'vitest';

const tools = Array.from({ length: 40 }, (_, at) =>
  defineTool({ name: `report_${at}`, description: `Returns report ${at}.`, effects: 'none', run: () => ({ at }) }),
);
const toolbox = createToolbox(tools, { search: { always: ['report_0'] } });
const few = createToolbox(tools.slice(0, 3), { search: {} });

test('Anthropic is sent all tools, and its own search beside those that are offered from the start', async () => {
  const sent = toAnthropic(toolbox, { providerSearch: true });
  expect(sent).toHaveLength(41);
  expect(sent.slice(0, 3)).toMatchObject([
    { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
    { name: 'report_0' },
    { name: 'report_1', defer_loading: true },
  ]);
  expect(sent[1]).not.toHaveProperty('defer_loading');
  const found = { type: 'tool_use', id: 't1', name: 'report_7', input: {} };
  const searched = { type: 'server_tool_use', id: 's1', name: 'tool_search_tool_bm25', input: { query: 'report 7' } };
  const answers = await answerToolCalls({ content: [searched, found] }, toolbox);
  expect(answers).toMatchObject([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] }]);
  expect(answers[0]?.content).toHaveLength(1);
});

test('OpenAI is sent all tools in the Responses API, and its own search', () => {
  const sent = toOpenai(toolbox, { api: 'responses', providerSearch: true });
  expect(sent).toHaveLength(41);
  expect(sent.slice(0, 3)).toMatchObject([{ type: 'tool_search' }, { name: 'report_0' }, { name: 'report_1', defer_loading: true }]);
  expect(() => toOpenai(toolbox, { providerSearch: true } as never)).toThrow("add `api: 'responses'`");
});

test('agents of OpenAI and LangChain get all tools, marked as their own searches read it', () => {
  expect(
    toOpenaiAgents(toolbox, { providerSearch: true })
      .map(({ name, deferLoading }) => [name, deferLoading])
      .slice(0, 2),
  ).toEqual([
    ['report_0', undefined],
    ['report_1', true],
  ]);
  const langchain = toLangchain(toolbox, { providerSearch: true });
  expect(langchain).toHaveLength(40);
  expect(langchain.slice(0, 2).map(({ extras }) => extras)).toEqual([undefined, { defer_loading: true }]);
});

test('the AI SDK adds deferred tools as our ranking finds them', async () => {
  const asked: { readonly search: (asked: { readonly query: string }) => Promise<string[]> }[] = [];
  const sent: Readonly<Record<string, object>> = toAiSdk(toolbox, {
    toolSearch: (options) => {
      asked.push(options);
      return { isSearch: true };
    },
  });
  expect(Object.keys(sent)).toHaveLength(41);
  expect(sent).toMatchObject({ search_tools: { isSearch: true }, report_1: { deferLoading: true } });
  expect(sent.report_0).not.toHaveProperty('deferLoading');
  expect((await asked[0]?.search({ query: 'report 17' }))?.[0]).toBe('report_17');
});

test('without deferred tools nothing is searched, and without the option our own search is offered', () => {
  expect(toAnthropic(few, { providerSearch: true }).map(({ name }) => name)).toEqual(['report_0', 'report_1', 'report_2']);
  expect(toOpenai(few, { api: 'responses', providerSearch: true })).toHaveLength(3);
  expect(toAnthropic(toolbox).map(({ name }) => name)).toEqual(['report_0', 'search_tools', 'call_tool']);
});

test('a run of the AI SDK searches with our ranking, reads what was found in the next step, and calls it', async () => {
  const seen: string[][] = [];
  const turns = [
    { type: 'tool-call', toolCallId: 's', toolName: 'search_tools', input: '{"query":"report 17"}' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'report_17', input: '{}' },
    { type: 'text', text: 'done' },
  ] as const;
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ tools: offered = [] }) => {
      const part = turns[seen.length] ?? turns[2];
      seen.push(offered.map(({ name }) => name));
      const finishReason = { unified: part.type === 'text' ? 'stop' : 'tool-calls', raw: undefined } as const;
      return { content: [part], finishReason, usage, warnings: [] };
    },
  });
  const { steps } = await generateText({ model, prompt: 'Report 17?', ...toRunOptions(toolbox, { toolSearch }) });
  expect(seen[0]).toEqual(['report_0', 'search_tools']);
  expect(seen[1]).toContain('report_17');
  expect(seen[1]?.length).toBeLessThan(8);
  expect(steps[1]?.toolResults).toMatchObject([{ output: { status: 'ok', data: { at: 17 } } }]);
});

test("LangChain's middleware sends deferred tools as its provider wants them", async () => {
  const { wrapModelCall } = providerToolSearchMiddleware() as unknown as {
    readonly wrapModelCall: (request: object, handler: (request: { readonly tools: readonly object[] }) => object) => Promise<object>;
  };
  const model = { getName: () => 'ChatAnthropic', _llmType: () => 'anthropic', lc_namespace: ['langchain', 'chat_models', 'anthropic'] };
  const sent: object[] = [];
  await wrapModelCall({ model, tools: toLangchain(toolbox, { providerSearch: true }), messages: [], state: {}, runtime: {} }, (request) => {
    sent.push(...request.tools);
    return {};
  });
  expect(sent.filter((tool) => (tool as { extras?: { defer_loading?: boolean } }).extras?.defer_loading === true)).toHaveLength(39);
  expect(sent).toHaveLength(41);
});
