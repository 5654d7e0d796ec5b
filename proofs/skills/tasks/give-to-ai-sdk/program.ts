import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createToolbox } from 'toolpact';
import { toRunOptions } from 'toolpact/adapters/ai-sdk';
import { stock } from './tools.ts';

const toolbox = createToolbox([stock], { report: () => undefined });

// Plays the model: asks for a wrong article, then for the right one, then answers.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const articles = ['lamps', 'lamp'];
const model = new MockLanguageModelV4({
  doGenerate: async () => {
    const article = articles.shift();
    return article === undefined
      ? { content: [{ type: 'text', text: 'There are 3.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
      : {
          content: [{ type: 'tool-call', toolCallId: `for ${article}`, toolName: 'stock', input: JSON.stringify({ article }) }],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        };
  },
});

const { text, steps } = await generateText({ model, prompt: 'How many lamps are there?', ...toRunOptions(toolbox) });
for (const { staticToolResults } of steps)
  for (const { output } of staticToolResults) console.log(output.status === 'error' ? output.error.message : output.status);
console.log(text);
