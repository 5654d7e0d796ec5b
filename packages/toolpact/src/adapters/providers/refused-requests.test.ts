import { describe, expect, test } from 'vitest';
import { type Content, createToolbox, defineTool, ok } from '../../index.ts';
import { toModelOutput } from '../ai-sdk/model-output.ts';
import { toTools as toGenkitTools } from '../genkit/index.ts';
import { answerToolCalls as answerGemini } from '../google-genai/index.ts';
import { toContent } from '../langchain/message.ts';
import { toTools as toMastraTools } from '../mastra/index.ts';
import { answerToolCalls, toTools } from '../openai/index.ts';
import { toTools as toAgentsTools } from '../openai-agents/index.ts';
import { toStrandsResult } from '../strands/result.ts';

const refused = {
  'an image of a type that providers refuse': [
    { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
    '[image: image/svg+xml, not shown]',
  ],
  'an image that is an address instead of base64': [
    { type: 'image', mimeType: 'image/png', data: 'data:image/png;base64,AAAA' },
    '[image: image/png, not shown]',
  ],
  'an image whose base64 is cut off': [{ type: 'image', mimeType: 'image/png', data: 'AAAAA' }, '[image: image/png, not shown]'],
  'a sound that is not base64': [
    { type: 'audio', mimeType: 'audio/wav', data: 'data:audio/wav;base64,AAAA' },
    '[audio: audio/wav, not shown]',
  ],
  'a sound whose type is none': [
    { type: 'audio', mimeType: 'application/octet-stream', data: 'UklGRg==' },
    '[audio: application/octet-stream, not shown]',
  ],
  'a file of no stated type': [{ type: 'resource', uri: 'file:///dump', data: 'UEsDBA==' }, '[resource: file:///dump]'],
  'a file of bytes': [
    { type: 'resource', uri: 'file:///a.bin', mimeType: 'application/octet-stream', data: 'UEsDBA==' },
    '[resource: file:///a.bin]',
  ],
  'a file of a type that few providers take': [
    { type: 'resource', uri: 'file:///a.zip', mimeType: 'application/zip', data: 'UEsDBA==' },
    '[resource: file:///a.zip]',
  ],
  'a PDF that is not base64': [
    { type: 'resource', uri: 'file:///a.pdf', mimeType: 'application/pdf', data: '%PDF-1.7' },
    '[resource: file:///a.pdf]',
  ],
} as const;

function boxOf(block: Content) {
  const draw = defineTool({ name: 'draw', description: 'Draws.', effects: 'none', run: () => ok('drawn', { content: [block] }) });
  return createToolbox([draw]);
}

type Box = ReturnType<typeof boxOf>;
const answers: [string, (toolbox: Box) => unknown][] = [
  ['Gemini', (box) => answerGemini({ candidates: [{ content: { parts: [{ functionCall: { name: 'draw', args: {} } }] } }] }, box)],
  ['the AI SDK', async (box) => toModelOutput(await box.call('draw', {}))],
  ['LangChain', async (box) => toContent(await box.call('draw', {}))],
  ['Mastra', async (box) => toMastraTools(box).draw.toModelOutput(await box.call('draw', {}))],
  ['Genkit', async (box) => toGenkitTools(box)[0]?.({})],
  ['Strands', async (box) => toStrandsResult(await box.call('draw', {}), 'c1')],
];

describe.each(Object.entries(refused))('%s', (_, [block, note]) => {
  test.each(answers)('is named to the model by %s and not sent', async (__, answer) => {
    const text = JSON.stringify(await answer(boxOf(block)));
    expect(text).toContain(note);
    expect(text).not.toContain(block.data);
  });
});

describe.each<[string, Content & { data: string }]>([
  ['an image', { type: 'image', mimeType: 'image/png', data: 'iVBORw==' }],
  ['a PDF', { type: 'resource', uri: 'file:///a.pdf', mimeType: 'application/pdf', data: 'JVBERg==' }],
])('%s', (_, block) => {
  test.each(answers.filter(([name]) => name !== 'Strands'))('is sent by %s', async (__, answer) => {
    const text = JSON.stringify(await answer(boxOf(block)));
    expect(text).toContain(block.data);
    expect(text).not.toContain('not shown');
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
