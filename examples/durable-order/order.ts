import { appendFileSync, readFileSync } from 'node:fs';
import { defineTool } from 'toolpact';
import { z } from 'zod';

/** The ledger of the shop, the bank and the post: the truth about what happened, outside of every engine. */
export const ledgerFile = process.env.LEDGER ?? '';
export const ledger = (): string[] => readFileSync(ledgerFile, 'utf8').split('\n').filter(Boolean);
const note = (line: string): void => appendFileSync(ledgerFile, `${line}\n`);

export const order = defineTool({
  name: 'order',
  description: 'Orders something: price, payment, parcel.',
  input: z.object({ orderId: z.string(), sku: z.string() }),
  effects: 'writes',
  steps: true,
  idempotency: { key: ({ orderId }) => orderId },
  async run({ orderId, sku }, ctx) {
    const price = await ctx.step('price', () => (sku === 'tea' ? 5 : 50), { effects: 'none' });
    const paid = await ctx.step('charge', (key) => {
      note(`charged ${price} for ${orderId} with the key ${key}`);
      return { amount: price };
    });
    // The machine dies here, the first time: paid, but not sent.
    if (!ledger().includes('died')) {
      note('died');
      process.kill(process.pid, 'SIGKILL');
    }
    const sent = await ctx.step('ship', () => {
      note(`shipped ${orderId}`);
      return { parcel: `P-${orderId}` };
    });
    return { paid, sent };
  },
});
