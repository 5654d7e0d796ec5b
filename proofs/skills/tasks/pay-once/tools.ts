// Task: "Our tool pays twice when the model repeats itself. Make it safe to repeat."
import { defineTool } from 'toolpact';
import { z } from 'zod';

/** Stands in for the bank. */
export const payments: { readonly invoice: string; readonly key: string | undefined }[] = [];

export const payInvoice = defineTool({
  name: 'pay_invoice',
  description: 'Pays an invoice.',
  input: z.object({
    invoice: z.string().describe('The number of the invoice, for example A-1.'),
    amount: z.number().positive().describe('In euros.'),
  }),
  output: z.object({ paid: z.number() }),
  effects: 'writes',
  idempotency: { key: ({ invoice }) => invoice },
  examples: [{ input: { invoice: 'A-1', amount: 20 } }],
  run({ invoice, amount }, { idempotencyKey }) {
    payments.push({ invoice, key: idempotencyKey });
    return { paid: amount };
  },
});
