// Task: "Give our stock tool to the agent that we run with the AI SDK."
import { defineTool, fail } from 'toolpact';
import { z } from 'zod';

const counts = new Map([['lamp', 3]]);

export const stock = defineTool({
  name: 'stock',
  description: 'Returns how many of an article there are.',
  input: z.object({ article: z.string().describe('For example, lamp.') }),
  output: z.object({ count: z.number() }),
  effects: 'none',
  examples: [{ input: { article: 'lamp' } }],
  run({ article }) {
    const count = counts.get(article);
    if (count === undefined) throw fail('not_found', `There is no article "${article}". Articles: ${[...counts.keys()].join(', ')}.`);
    return { count };
  },
});
