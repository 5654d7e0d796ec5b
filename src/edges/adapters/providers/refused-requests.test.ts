import { describe, expect, test } from 'vitest';
import { createToolbox, defineTool, ok } from '../../../index.ts';
import { toModelOutput } from '../ai-sdk/model-output.ts';
import { toTools as toGenkitTools } from '../genkit/index.ts';
import { answerToolCalls as answerGemini } from '../google-genai/index.ts';
import { toContent } from '../langchain/message.ts';
import { toTools as toMastraTools } from '../mastra/index.ts';
import { answerToolCalls, toTools } from '../openai/index.ts';
import { toTools as toAgentsTools } from '../openai-agents/index.ts';
import { toStrandsResult } from '../strands/result.ts';

const drawings = {
  'of a type that providers refuse': { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
  'that is an address instead of base64': { type: 'image', mimeType: 'image/png', data: 'data:image/png;base64,AAAA' },
} as const;

describe.each(Object.entries(drawings))('an image %s', (_, image) => {
  const draw = defineTool({ name: 'draw', description: 'Draws.', effects: 'none', run: () => ok('drawn', { content: [image] }) });
  const toolbox = createToolbox([draw]);
  const note = `[image: ${image.mimeType}, not shown]`;

  test.each<[string, () => unknown]>([
    ['Gemini', () => answerGemini({ candidates: [{ content: { parts: [{ functionCall: { name: 'draw', args: {} } }] } }] }, toolbox)],
    ['the AI SDK', async () => toModelOutput(await toolbox.call('draw', {}))],
    ['LangChain', async () => toContent(await toolbox.call('draw', {}))],
    ['Mastra', async () => toMastraTools(toolbox).draw.toModelOutput(await toolbox.call('draw', {}))],
    ['Genkit', async () => toGenkitTools(toolbox)[0]?.({})],
    ['Strands', async () => toStrandsResult(await toolbox.call('draw', {}), 'c1')],
  ])('is named to the model by %s and not sent', async (__, answer) => {
    const text = JSON.stringify(await answer());
    expect(text).toContain(note);
    expect(text).not.toContain(image.data);
  });
});

test('descriptions are no longer than OpenAI takes', () => {
  const long = defineTool({ name: 'long', description: 'd'.repeat(2_000), run: () => 1 });
  const toolbox = createToolbox([long]);
  expect(toTools(toolbox)[0]?.function.description).toBe(`${'d'.repeat(1_023)}…`);
  expect(toAgentsTools(toolbox)[0]?.description).toHaveLength(1_024);
});

test("a call of a group of the application's own tools is left alone, though a tool of the toolbox has its name", async () => {
  let runs = 0;
  const search = defineTool({ name: 'search', description: 'Searches.', effects: 'none', run: () => (runs += 1) });
  const call = { type: 'function_call', call_id: 'c1', name: 'search', namespace: 'crm', arguments: '{}' };
  expect(await answerToolCalls({ output: [call] }, createToolbox([search]))).toEqual([]);
  expect(runs).toBe(0);
});
