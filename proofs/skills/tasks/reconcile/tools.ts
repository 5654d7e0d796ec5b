// Task: "The bank sometimes takes a transfer and loses the answer. Never send twice, and never lose one that did not arrive."
import { defineTool } from 'toolpact';
import { z } from 'zod';

/** Stands in for the bank. */
export const bank = {
  arrived: new Map<string, string>(),
  sent: 0,
  line: 'answers' as 'answers' | 'loses the answer' | 'loses the transfer',
};

function send(reference: string): { id: string } {
  bank.sent += 1;
  const id = `T-${reference}`;
  if (bank.line !== 'loses the transfer') bank.arrived.set(reference, id);
  if (bank.line !== 'answers') throw new Error('socket hang up');
  return { id };
}

export const transfer = defineTool({
  name: 'transfer',
  description: 'Sends money.',
  input: z.object({
    reference: z.string().describe('The reference of the payment, for example R-1.'),
    amount: z.number().positive().describe('In euros.'),
  }),
  output: z.object({ id: z.string() }),
  effects: 'writes',
  steps: true,
  idempotency: { key: ({ reference }) => reference },
  examples: [{ input: { reference: 'R-1', amount: 5 } }],
  run: ({ reference }, { step }) => step('send', () => send(reference)),
  reconcile({ reference }) {
    const id = bank.arrived.get(reference);
    return id === undefined ? { effect: 'none' } : { effect: 'applied', data: { id } };
  },
});
