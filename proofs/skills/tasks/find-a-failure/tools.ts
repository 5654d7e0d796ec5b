import { defineTool, fail } from 'toolpact';
import { z } from 'zod';

const articles = new Map<string, { price?: { net: number } }>([
  ['lamp', { price: { net: 20 } }],
  ['chair', {}],
]);

export const price = defineTool({
  name: 'price',
  description: 'Returns the price of an article.',
  input: z.object({ article: z.string().describe('For example, lamp.') }),
  output: z.object({ gross: z.number() }),
  effects: 'none',
  examples: [{ input: { article: 'lamp' } }],
  run({ article }) {
    const found = articles.get(article);
    if (found === undefined) throw fail('not_found', `There is no article "${article}". Articles: ${[...articles.keys()].join(', ')}.`);
    if (found.price === undefined) throw fail('not_found', `The article "${article}" has no price yet.`);
    return { gross: found.price.net * 1.2 };
  },
});
