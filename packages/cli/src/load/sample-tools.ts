import { fromJsonSchema } from '@toolpact/openapi';
import { type AnyTool, defineTool } from 'toolpact';
import { sleep } from 'toolpact/internal';

// Tools to try things out with, none of which needs a network: one that works, one whose service has had enough, one that has to be
// allowed and happens once, one that takes its time, one whose service is down, and one that works in steps and fails in the middle.

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
  description: 'Returns the price of a share. In this sample, the service always answers 429 Too Many Requests.',
  input: objectOf<{ symbol: string }>({ symbol: { type: 'string', minLength: 1, description: 'For example, ACME.' } }),
  output: objectOf<{ price: number }>({ price: { type: 'number' } }),
  effects: 'none',
  retry: false,
  examples: [{ input: { symbol: 'ACME' } }],
  run() {
    // A response of `fetch` can be thrown as it is.
    throw new Response('slow down', { status: 429, headers: { 'retry-after': '8' } });
  },
});

const paid = new Map<string, string>();

const payInvoice = defineTool({
  name: 'pay_invoice',
  description: 'Pays an invoice once, however often it is called. Amounts above 100 need approval.',
  input: objectOf<{ invoice: string; amount: number }>({
    invoice: { type: 'string', minLength: 1, description: 'The invoice number.' },
    amount: { type: 'number', description: 'The amount to pay.', minimum: 0.01 },
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
  description: 'Crawls a site, one page per second. After two seconds it answers pending and continues.',
  input: objectOf<{ pages: number }>({ pages: { type: 'integer', description: 'How many pages.', minimum: 1, maximum: 25 } }),
  output: objectOf<{ pages: number; words: number }>({ pages: { type: 'integer' }, words: { type: 'integer' } }),
  effects: 'none',
  deferAfterMs: 2_000,
  examples: [{ input: { pages: 5 } }],
  async run({ pages }, { signal, progress }) {
    for (let page = 1; page <= pages; page += 1) {
      await sleep(1_000, signal);
      signal.throwIfAborted();
      progress({ done: page, total: pages });
    }
    return { pages, words: pages * 417 };
  },
});

const weather = defineTool({
  name: 'weather',
  description: 'Returns the weather for a city. In this sample, the service is down.',
  input: objectOf<{ city: string }>({ city: { type: 'string', minLength: 1, description: 'For example, Kyoto.' } }),
  output: objectOf<{ degrees: number }>({ degrees: { type: 'number' } }),
  effects: 'none',
  retry: false,
  examples: [{ input: { city: 'Kyoto' } }],
  run() {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED', syscall: 'connect' });
  },
});

const askedCities = new Set<string>();

const bookTrip = defineTool({
  name: 'book_trip',
  description: 'Books a flight and a hotel, in steps. In this sample, the hotel does not answer the first request for a city.',
  input: objectOf<{ city: string; nights: number }>({
    city: { type: 'string', minLength: 1, description: 'The destination.' },
    nights: { type: 'integer', minimum: 1, maximum: 30, description: 'The number of nights.' },
  }),
  output: objectOf<{ city: string; flight: string; hotel: string }>({
    city: { type: 'string' },
    flight: { type: 'string' },
    hotel: { type: 'string' },
  }),
  effects: 'writes',
  steps: true,
  retry: false,
  examples: [{ input: { city: 'Kyoto', nights: 3 } }],
  async run({ city, nights }, { step, fail }) {
    const flight = await step('reserve_flight', () => `flight to ${city}`);
    const hotel = await step('reserve_hotel', () => {
      if (askedCities.has(city)) return `hotel for ${nights} nights`;
      askedCities.add(city);
      throw fail('unreachable', `The hotel in ${city} does not answer.`, { effect: 'none' });
    });
    await step('send_tickets', () => true);
    return { city, flight, hotel };
  },
});

/** The built-in tools of `--sample`. */
export const sampleTools: readonly AnyTool[] = [add, stockQuote, payInvoice, crawlSite, weather, bookTrip];

/** Describes an object whose fields are all required. The samples bring no schema library along; tools of your own use any. */
function objectOf<TValue extends object>(properties: Readonly<Record<keyof TValue & string, object>>) {
  return fromJsonSchema<TValue>({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
}
