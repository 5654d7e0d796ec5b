import { setTimeout as pause } from 'node:timers/promises';
import { type AnyTool, defineTool } from '../../../core/runtime/index.ts';
import { fromJsonSchema } from '../../../parts/schemas/index.ts';

// Four tools to try things out with, none of which needs a network: one that works, one whose service has had enough, one that has to be
// allowed and happens once, and one that takes its time.

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: objectOf<{ a: number; b: number }>({
    a: { type: 'number', description: 'The first number.' },
    b: { type: 'number', description: 'The second number.' },
  }),
  output: objectOf<{ sum: number }>({ sum: { type: 'number' } }),
  effects: 'none',
  examples: [{ input: { a: 2, b: 3 }, output: { sum: 5 } }],
  run: ({ a, b }) => ({ sum: a + b }),
});

const stockQuote = defineTool({
  name: 'stock_quote',
  description: 'Tells the price of a share. In this sample the service behind it always answers 429 Too Many Requests.',
  input: objectOf<{ symbol: string }>({ symbol: { type: 'string', minLength: 1, description: 'Such as ACME.' } }),
  output: objectOf<{ price: number }>({ price: { type: 'number' } }),
  effects: 'none',
  retry: false,
  examples: [{ input: { symbol: 'ACME' } }],
  run() {
    // What `fetch` gives for such an answer can be thrown as it is.
    throw new Response('slow down', { status: 429, headers: { 'retry-after': '8' } });
  },
});

const paid = new Map<string, string>();

const payInvoice = defineTool({
  name: 'pay_invoice',
  description: 'Pays an invoice, once however often it is called. Amounts above 100 wait for an approval.',
  input: objectOf<{ invoice: string; amount: number }>({
    invoice: { type: 'string', minLength: 1, description: 'The number of the invoice.' },
    amount: { type: 'number', description: 'What to pay.', minimum: 0.01 },
  }),
  output: objectOf<{ invoice: string; receipt: string }>({ invoice: { type: 'string' }, receipt: { type: 'string' } }),
  effects: 'writes',
  steps: true,
  examples: [{ input: { invoice: 'INV-7', amount: 250 } }],
  idempotency: { key: ({ invoice }) => invoice },
  approval: ({ invoice, amount }) => (amount > 100 ? `Pay ${amount} for invoice ${invoice}?` : false),
  async run({ invoice }, { step, invocationId }) {
    const receipt = `receipt_${invocationId.slice(-6)}`;
    await step('pay', () => {
      paid.set(invoice, receipt);
    });
    return { invoice, receipt };
  },
  reconcile: ({ invoice }) => {
    const receipt = paid.get(invoice);
    return receipt === undefined ? { effect: 'unknown' } : { effect: 'applied', data: { invoice, receipt } };
  },
});

const crawlSite = defineTool({
  name: 'crawl_site',
  description: 'Reads the pages of a site, one a second. After two seconds it answers pending and goes on.',
  input: objectOf<{ pages: number }>({ pages: { type: 'integer', description: 'How many pages.', minimum: 1, maximum: 25 } }),
  output: objectOf<{ pages: number; words: number }>({ pages: { type: 'integer' }, words: { type: 'integer' } }),
  effects: 'none',
  deferAfterMs: 2_000,
  examples: [{ input: { pages: 5 } }],
  async run({ pages }, { signal, progress }) {
    for (let page = 1; page <= pages; page += 1) {
      await pause(1_000, undefined, { signal });
      progress({ done: page, total: pages });
    }
    return { pages, words: pages * 417 };
  },
});

/** The built-in tools of `--sample`. */
export const sampleTools: readonly AnyTool[] = [add, stockQuote, payInvoice, crawlSite];

/** Describes an object whose fields are all required. The samples bring no schema library along; tools of your own use any. */
function objectOf<TValue extends object>(properties: Readonly<Record<keyof TValue & string, object>>) {
  return fromJsonSchema<TValue>({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
}
