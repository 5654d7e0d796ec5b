import { defineTool } from 'toolpact';
import * as z from 'zod';

// Runs inside the browser page that browser.test.ts opens: one tool, four ways for a call to end.
const greet = defineTool({
  name: 'greet',
  description: 'Greets a person, or the answer of an address.',
  input: z.object({ name: z.string().min(1), from: z.string().optional(), forever: z.boolean().optional() }),
  effects: 'none',
  async run({ name, from, forever }) {
    if (forever) await new Promise(() => undefined);
    const greeting = from ? await (await fetch(from)).text() : 'Hello';
    return { text: `${greeting}, ${name}` };
  },
});

const closed = new URLSearchParams(location.search).get('closed') ?? '';
const outcomes = {
  good: await greet.call({ name: 'Ada' }),
  // @ts-expect-error A model sends what it likes.
  badArguments: await greet.call({ name: 7 }),
  unreachable: await greet.call({ name: 'Ada', from: closed }),
  timeout: await greet.call({ name: 'Ada', forever: true }, { timeoutMs: 300 }),
};
Object.assign(globalThis, { outcomes });
