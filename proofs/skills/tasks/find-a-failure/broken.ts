// As it was found. Task: "price fails for some articles. Find out why, and put it right."
import { defineTool } from 'toolpact';
import { z } from 'zod';

const articles: Readonly<Record<'lamp' | 'chair', { price: { net: number } }>> = JSON.parse(
  '{"lamp": {"price": {"net": 20}}, "chair": {}}',
);

export const price = defineTool({
  name: 'price',
  description: 'Returns the price of an article.',
  input: z.object({ article: z.string().describe('For example, lamp.') }),
  output: z.object({ gross: z.number() }),
  effects: 'none',
  examples: [{ input: { article: 'lamp' } }],
  run: ({ article }) => ({ gross: articles[article as 'lamp'].price.net * 1.2 }),
});
