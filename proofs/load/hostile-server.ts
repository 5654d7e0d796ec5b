// Serves tools to a polite and a hostile tenant, prints its address, and reports its memory to the process that started it.
// Words: the database file, the key of the polite tenant, that of the hostile one.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { fromJsonSchema } from '@toolpact/openapi';
import { apiKeys, createServer, hashApiKey } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createResources, createToolbox, defineResource, defineTool, type JsonObject } from 'toolpact';
import { spill } from 'toolpact/guards';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { z } from 'zod';
import { originOptions } from '../../packages/cli/src/dialects.ts';

/** The vital signs of this process, in bytes and milliseconds. */
export interface Vitals {
  readonly heap: number;
  readonly rss: number;
  /** The longest time for which the event loop stood still since the last report. */
  readonly longestStall: number;
}

const [file = ':memory:', polite = '', hostile = ''] = process.argv.slice(2);
const store = sqliteStore(file);
const text = z.object({ text: z.string() });
const describe = (name: string) => ({ name, description: `Does ${name}.` });

/** Patterns that an engine which tries all ways never ends on, as a description from elsewhere may hold them. */
const patterns = ['^(a+)+$', '^([a-z]|[a-m])+$', '^(a|a)*$', '^a*a*a*a*$', '\\s+$'];
const matched: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(patterns.map((pattern, index) => [`p${index}`, { type: 'string', pattern }])),
};

const tools = [
  defineTool({
    ...describe('add'),
    input: z.object({ a: z.number(), b: z.number() }),
    effects: 'none',
    run: ({ a, b }) => ({ sum: a + b }),
  }),
  defineTool({ ...describe('note'), input: text, effects: 'none', run: ({ text: given }) => ({ length: given.length }) }),
  defineTool({ ...describe('big'), effects: 'none', run: () => ({ rows: Array.from({ length: 3000 }, () => 'x'.repeat(60)) }) }),
  defineTool({ ...describe('wire'), input: text, approval: true, run: () => 'sent' }),
  defineTool({ ...describe('pay'), input: z.object({ amount: z.number() }), run: ({ amount }) => ({ paid: amount }) }),
  defineTool({
    ...describe('break'),
    input: text,
    effects: 'none',
    run({ text: given }) {
      void Promise.reject(new Error('left behind'));
      throw Object.assign(new Error(given), { status: 500, headers: { 'x-long': given }, body: given });
    },
  }),
  defineTool({ ...describe('match'), input: fromJsonSchema(matched), effects: 'none', run: () => 'matched' }),
  defineTool({ ...describe('again'), deferAfterMs: 5, effects: 'none', timeoutMs: 500, run: () => new Promise(() => undefined) }),
];
const resources = createResources([defineResource({ type: 'desk', open: () => ({}) })]);
const toolbox = createToolbox(tools, { store, use: [spill({ store })], resources, report: () => undefined });
const admin = ['tools:call:*', 'approvals:decide'];
const auth = apiKeys([
  { hash: hashApiKey(polite), tenantId: 'polite', scopes: admin },
  { hash: hashApiKey(hostile), tenantId: 'hostile', scopes: admin },
]);
const listening = await listen(createServer(toolbox, { ...originOptions, auth, auditLog: false }), { port: 0 });

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', (word) => {
  if (word === 'collect') globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const vitals: Vitals = { heap: heapUsed, rss, longestStall: delay.max / 1e6 };
  delay.reset();
  process.send?.(vitals);
});
process.on('disconnect', () => process.exit(0));
process.stdout.write(`listening ${listening.url}\n`);
