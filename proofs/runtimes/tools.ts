import { apiKeys, createServer, hashApiKey } from '@toolpact/server';
import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';

// Stands for a service that a tool calls with fetch.
const service = async (city: string): Promise<Response> =>
  city === 'Oslo' ? Response.json({ celsius: 4 }) : new Response('Too many requests.', { status: 429, headers: { 'retry-after': '8' } });

export const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  output: z.object({ celsius: z.number() }),
  effects: 'none',
  async run({ city }) {
    const response = await service(city);
    if (!response.ok) throw response;
    return (await response.json()) as { celsius: number };
  },
});

export const pay = defineTool({
  name: 'pay_invoice',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string(), amount: z.number() }),
  idempotency: { key: ({ invoice }) => invoice },
  approval: ({ amount }) => (amount > 100 ? `Pay ${amount}?` : false),
  run: ({ invoice, amount }) => ({ receipt: `${invoice}: ${amount}` }),
});

/** How many calls of `linger` have begun, and how many of them were stopped. */
const lingering = { begun: 0, stopped: 0 };

const linger = defineTool({
  name: 'linger',
  description: 'Ends only when its caller leaves.',
  effects: 'none',
  timeoutMs: 30_000,
  run: (_, { signal, progress }) =>
    new Promise((_resolve, reject) => {
      lingering.begun += 1;
      progress({ message: 'begun' });
      signal.addEventListener('abort', () => {
        lingering.stopped += 1;
        reject(signal.reason as Error);
      });
    }),
});

const lingered = defineTool({ name: 'lingered', description: 'Counts.', effects: 'none', run: () => ({ ...lingering }) });

const steps = defineTool({
  name: 'steps',
  description: 'Tells how far it is.',
  effects: 'none',
  async run(_, { progress }) {
    for (const done of [1, 2, 3]) {
      progress({ message: `step ${done}`, done, total: 3 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { done: 3 };
  },
});

const crawl = defineTool({
  name: 'crawl',
  description: 'Goes on after it was answered.',
  effects: 'none',
  deferAfterMs: 50,
  async run(_, { signal }) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    signal.throwIfAborted();
    return 'all pages';
  },
});

const slow = defineTool({
  name: 'slow',
  description: 'Takes as long as asked, and may be asked for more than its time.',
  input: z.object({ ms: z.number() }),
  effects: 'none',
  timeoutMs: 300,
  run: ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({ ms }), ms)),
});

const toolbox = createToolbox([forecast, pay, linger, lingered, steps, crawl, slow], { store: memoryStore(), report: () => undefined });

/** The tools that each runtime serves. */
// Some runtimes notice a client that has left a stream only as they write to it.
export const server = createServer(toolbox, { heartbeatMs: 500 });

/** The same for callers with this key only. */
export const apiKey = 'a-key-of-at-least-24-characters';
export const lockedServer = createServer(toolbox, {
  auth: apiKeys([{ hash: hashApiKey(apiKey), tenantId: 'acme' }]),
  hosts: ['127.0.0.1'],
});
