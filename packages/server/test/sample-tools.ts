import { defineTool, fail, ok, partial, pending } from 'toolpact';
import { z } from 'zod';

/** Counts how often each writing tool ran. */
export const ran = { pay: 0 };

export const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  effects: 'none',
  examples: [{ input: { a: 1, b: 2 }, output: { sum: 3 } }],
  run: ({ a, b }) => ({ sum: a + b }),
});

export const ragSearch = defineTool({
  name: 'rag:search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  effects: 'none',
  run: ({ query }) => ({ query, context: 'nothing' }),
});

/** Ends in whatever way it is asked to. */
export const endAs = defineTool({
  name: 'end_as',
  description: 'Ends as asked.',
  input: z.object({ how: z.string() }),
  effects: 'none',
  async run({ how }) {
    switch (how) {
      case 'partial':
        return partial({ done: [1] }, [{ index: 1, error: fail('upstream', 'The second failed.') }], { total: 2 });
      case 'pending':
        return pending({ handle: 'h-1', reason: 'host', pollAfterMs: 2500 });
      case 'rate_limited':
        throw fail('rate_limited', 'Too many.', { retryAfterMs: 1200 });
      case 'throw':
        throw new Error('secret at /home/me/app/index.js:3');
      case 'message':
        return ok({ fine: true }, { message: 'Well done.' });
      default:
        throw fail(how as never, `It is ${how}.`);
    }
  },
});

/** Goes on until it is stopped. */
export const hang = defineTool({
  name: 'hang',
  description: 'Never ends by itself.',
  input: z.object({}),
  effects: 'none',
  timeoutMs: 60_000,
  run: (_, { signal, progress }) =>
    new Promise((_resolve, reject) => {
      progress({ message: 'begun', done: 1, total: 2 });
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

/** Changes something, once per key. */
export const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ amount: z.number() }),
  run({ amount }, { idempotencyKey }) {
    ran.pay += 1;
    return { paid: amount, key: idempotencyKey ?? null };
  },
});

/** Tells what its call knows of itself. */
export const whoami = defineTool({
  name: 'whoami',
  description: 'Tells the context.',
  input: z.object({}).loose(),
  effects: 'none',
  run: (_, { tenantId, userId, runId, ids, traceId, requestId, callId, sessionId, agentName, remainingMs }) => ({
    tenantId,
    userId,
    runId,
    ...ids,
    traceId,
    requestId,
    callId,
    sessionId,
    agentName,
    hurried: remainingMs <= 2_000,
  }),
});

export const sampleTools = [add, ragSearch, endAs, hang, pay, whoami] as const;
