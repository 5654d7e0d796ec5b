import { type Authenticate, createServer, type ServedToolbox } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, defineTool, fail, ok, pending } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';
import { originOptions } from '../../cli/src/dialects.ts';
import { createBench } from '../../cli/src/inspect/create-bench.ts';
import { wireToolbox } from '../../cli/src/load/wire-toolbox.ts';
import { readSettings } from '../../cli/src/settings/read-settings.ts';

/** A result that tries everything that a page could obey instead of showing. */
export const hostileText = [
  '<img src=x onerror="globalThis.wasHacked = 1"><script>globalThis.wasHacked = 1</script>',
  '</pre></code></textarea><iframe srcdoc="<script>parent.wasHacked = 1</script>"></iframe>',
  '\u202eright to left\u202c \u0000\u0007\u001b[31mred\u001b[0m \u2028\u2029\ufeff\u200b',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay text
  'javascript:alert(1) {{constructor.constructor("wasHacked=1")()}} ${wasHacked=1}',
].join('\n');

const input = <TShape extends z.ZodRawShape>(shape: TShape) => z.object(shape);
const gates = new Map<string, () => void>();

/** Lets a call of `wait_here` end. */
export function openGate(name: string): void {
  gates.get(name)?.();
}

const greet = defineTool({
  name: 'greet',
  description: 'Greets a person by name.',
  effects: 'none',
  input: input({ name: z.string().min(1).describe('Whom to greet.') }),
  output: z.object({ text: z.string() }),
  examples: [{ input: { name: 'Ann' }, output: { text: 'Hello, Ann' } }],
  failures: { nobody: 'not_found' },
  run: ({ name }, { fail: failWith }) =>
    name === 'nobody' ? failWith('nobody', 'There is no such person.\nTry another name.') : { text: `Hello, ${name}` },
});

const lookUp = defineTool({
  name: 'look_up',
  description: 'Fails in the way that it is asked to.',
  effects: 'none',
  retry: false,
  input: input({ how: z.enum(['limit', 'bug', 'down', 'unread']), count: z.number().optional() }),
  run({ how }) {
    if (how === 'bug') throw new Error('the index is broken', { cause: new Error('the disk is full') });
    if (how === 'unread') throw new Error('the lid is open');
    if (how === 'down') return fail('unreachable', 'The service is down.');
    throw new Response('slow down', { status: 429, headers: { 'retry-after': '8' } });
  },
});

let flaky = 0;
const pay = defineTool({
  name: 'pay',
  description: 'Pays. Amounts above 100 wait for a person.',
  effects: 'writes',
  steps: true,
  input: input({ to: z.string(), amount: z.number().positive() }),
  idempotency: { key: ({ to }) => to },
  approval: ({ amount, to }) => (amount > 100 ? `Pay ${amount} to ${to}?` : false),
  async run({ to, amount }, { step, progress }) {
    progress({ message: 'asking the bank', done: 1, total: 2 });
    await step('charge', () => amount);
    flaky += 1;
    if (to === 'flaky' && flaky % 2 === 1) return fail('unreachable', 'The line went dead.');
    return { to, amount };
  },
});

const closeShop = defineTool({
  name: 'close_shop',
  description: 'Closes a shop. Each call waits for a person.',
  effects: 'writes',
  approval: true,
  input: input({ shop: z.string() }),
  run: ({ shop }) => `closed ${shop}`,
});

const waitHere = defineTool({
  name: 'wait_here',
  description: 'Waits until it is let go or stopped.',
  effects: 'none',
  timeoutMs: 60_000,
  input: input({ gate: z.string() }),
  run: ({ gate }, { signal, progress }) =>
    new Promise<string>((resolve, reject) => {
      progress({ message: 'standing at the gate', done: 1, total: 3 });
      gates.set(gate, () => resolve('let go'));
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

const ship = defineTool({
  name: 'ship',
  description: 'Packs, and then drives until it is let go.',
  effects: 'writes',
  steps: true,
  timeoutMs: 60_000,
  input: input({ gate: z.string() }),
  async run({ gate }, { step, progress }) {
    await step('pack', () => 1);
    progress({ message: 'on the road' });
    return step('drive', () => new Promise<string>((resolve) => gates.set(gate, () => resolve('arrived'))));
  },
});

const overdraw = defineTool({
  name: 'overdraw',
  description: 'Fails after it may have paid.',
  effects: 'writes',
  retry: false,
  run: () => fail('unreachable', 'The bank hung up.', { effect: 'unknown' }),
});

const hotels = new Set<string>();
const trip = defineTool({
  name: 'trip',
  description: 'Books in steps. The hotel answers the second time.',
  effects: 'writes',
  steps: true,
  retry: false,
  input: input({ city: z.string() }),
  async run({ city }, { step }) {
    const flight = await step('flight', () => `flight ${crypto.randomUUID()}`);
    await step('hotel', () => {
      if (hotels.has(city)) return;
      hotels.add(city);
      throw fail('unreachable', 'The hotel does not answer.', { effect: 'none' });
    });
    return { city, flight };
  },
});

const askName = defineTool({
  name: 'ask_name',
  description: 'Asks a person for a name.',
  effects: 'none',
  run: () =>
    pending({
      handle: `ask_${crypto.randomUUID()}`,
      reason: 'input',
      ask: {
        message: 'What is your name?',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    }),
});

const order = defineTool({
  name: 'order',
  description: 'Takes an order with every sort of field.',
  effects: 'none',
  input: z.object({
    customer: z.object({ name: z.string(), email: z.email() }),
    lines: z.array(z.object({ sku: z.string(), count: z.int().min(1) })).min(1),
    speed: z.enum(['slow', 'fast']).default('slow'),
    pay: z.union([z.object({ by: z.literal('card'), number: z.string() }), z.object({ by: z.literal('cash') })]),
    gift: z.boolean(),
    due: z.iso.date(),
  }),
  run: (given) => given,
});

const hostile = defineTool({
  name: 'hostile',
  description: 'Answers with <b>markup</b>, control characters and much text.',
  effects: 'none',
  maxResultChars: 20_000_000,
  input: input({
    mb: z.number().default(0).describe(hostileText),
    fails: z.boolean().default(false),
    [hostileText]: z.string().optional(),
  }),
  run({ mb, fails }) {
    if (fails) return fail('upstream', hostileText);
    return ok(
      { [hostileText]: hostileText, list: [hostileText], much: 'x'.repeat(Number(mb ?? 0) * 1_000_000) },
      { warnings: [hostileText] },
    );
  },
});

export const inspectedTools = [greet, lookUp, pay, closeShop, waitHere, ship, trip, overdraw, askName, order, hostile];

/** A server that the page is opened on. */
export interface Inspected {
  readonly url: string;
  readonly port: number;
  readonly toolbox: ServedToolbox;
  readonly call: (name: string, args: object, context?: object) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface ServeOptions {
  readonly auth?: Authenticate;
  readonly isDev?: boolean;
  readonly store?: Store;
}

/** Records calls of `greet` without any guard, which is fast. */
export async function recordCalls(store: Store, count: number): Promise<void> {
  const toolbox = createToolbox([greet], { store });
  for (let made = 0; made < count; made += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - made) }, (_, index) => toolbox.call('greet', { name: `n${made + index}` })),
    );
}

/** Serves the tools like `toolpact dev`: all guards, the page, faults and checks. */
export async function serveInspected({ auth, isDev = true, store = memoryStore() }: ServeOptions = {}): Promise<Inspected> {
  const settings = { ...readSettings({ flags: new Map(), env: {} }), rateLimit: 10_000, concurrency: 50, circuitBreaker: true };
  const loaded = { tools: inspectedTools };
  const toolbox = wireToolbox(loaded, settings, store);
  const server = createServer(toolbox, {
    ...originOptions,
    auditLog: false,
    ...(auth && { auth }),
    inspector: {
      name: 'test server',
      causes: true,
      wire: true,
      traceUrl: 'https://traces.example.com/{traceId}',
      ...(isDev && { bench: createBench(loaded, settings, '/nowhere') }),
    },
  });
  const { url, port, close } = await listen(server, { port: 0 });
  return {
    url: `${url}/inspector/`,
    port,
    toolbox,
    call: async (name, args, context = {}) => {
      const outcome = await toolbox.answer({ name, args }, context as never);
      return outcome.meta.invocationId ?? '';
    },
    close: () => close({ drainMs: 0 }),
  };
}
