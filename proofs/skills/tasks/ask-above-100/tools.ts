// Task: "Refunds above 100 need the yes of a person, in code or over HTTP."
import { defineTool } from 'toolpact';
import { z } from 'zod';

export const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({
    order: z.string().describe('The id of the order, for example O-7.'),
    amount: z.number().positive().describe('In euros.'),
  }),
  output: z.object({ refunded: z.string() }),
  effects: 'writes',
  approval: ({ order, amount }) => (amount > 100 ? `Refund ${amount} euros for ${order}?` : false),
  examples: [{ input: { order: 'O-7', amount: 20 } }],
  run: ({ order }) => ({ refunded: order }),
});
