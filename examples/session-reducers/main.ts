import assert from 'node:assert/strict';
import { append, createSession, logSlice, resultsOf, stateSlice, toToolInvoked } from '@toolpact/origins/value';
import { createToolbox, defineTool, fail } from 'toolpact';
import { z } from 'zod';

// A shop's agent fills a cart. The cart is state: what a failing call put in is taken out again, while its parallel siblings keep theirs.
// The audit is a log: it keeps everything. And every session remembers its failures.

interface Item {
  readonly sku: string;
  readonly count: number;
}

const addToCart = defineTool({
  name: 'add_to_cart',
  description: 'Puts an item into the cart.',
  input: z.object({ sku: z.string(), count: z.number().int().min(1) }),
  async run({ sku, count }, { session }) {
    session?.upsert('cart', { sku, count });
    // The stock is only known after the cart was written; a failure here must not leave the item behind.
    await Promise.resolve();
    if (sku === 'unicorn') throw fail('not_found', 'There are no unicorns in stock.', { effect: 'none' });
    return { sku, count };
  },
});

const slices = {
  cart: stateSlice<Item>({ key: ({ sku }) => sku }),
  sold: stateSlice<string>({ on: { 'call-end': append(resultsOf(addToCart, ({ sku }) => sku)) } }),
  audit: logSlice<string>({
    on: { 'call-end': append((event) => `${event.tool} ${event.outcome.status}: ${toToolInvoked(event).result.message}`) },
  }),
};

const session = createSession({ id: 'session-1', slices });
const toolbox = createToolbox([addToCart], { events: session, report: () => {} });

await toolbox.batch([
  { tool: 'add_to_cart', args: { sku: 'tea', count: 2 } },
  { tool: 'add_to_cart', args: { sku: 'unicorn', count: 1 } },
  { tool: 'add_to_cart', args: { sku: 'cup', count: 4 } },
  { tool: 'add_to_cart', args: { sku: 'cup', count: 0 } },
]);

console.log('\nFour calls at once: two succeed, one fails after it wrote, one has bad arguments.\n');
show('cart (state)', session.all('cart'));
show('sold (state, by a reducer)', session.all('sold'));
show('audit (log)', session.all('audit'));
show(
  'failures (always there)',
  session.all('failures').map(({ tool, error }) => `${tool}: ${error.kind}`),
);
assert.deepEqual(session.all('cart'), [
  { sku: 'tea', count: 2 },
  { sku: 'cup', count: 4 },
]);
assert.deepEqual([...session.all('sold')].sort(), ['cup', 'tea']);
assert.equal(session.all('audit').length, 4);
assert.deepEqual(
  session
    .all('failures')
    .map(({ error }) => error.kind)
    .sort(),
  ['invalid_input', 'not_found'],
);

// A snapshot is plain JSON. Going back to it restores the state; the log still tells what happened since.
const snapshot = JSON.parse(JSON.stringify(session.snapshot())) as unknown;
await toolbox.call('add_to_cart', { sku: 'tea', count: 9 });
session.restore(snapshot);
console.log('\nOne more call, then back to the snapshot from before it:\n');
show('cart (state)', session.all('cart'));
show('audit (log)', `${session.all('audit').length} lines`);
assert.deepEqual(session.latest('cart'), { sku: 'cup', count: 4 });
assert.equal(session.where('cart', ({ sku }) => sku === 'tea')[0]?.count, 2);
assert.equal(session.all('audit').length, 5);

// Two writers that both read version n: the first wins, the second is told and can read again.
const version = session.version('cart');
assert.equal(session.compareAndSet('cart', version, []), true);
assert.equal(session.compareAndSet('cart', version, [{ sku: 'late', count: 1 }]), false);
console.log('\nTwo writers compare and set the same version: one wins, the other is told so.\n');

function show(title: string, value: unknown): void {
  console.log(`  ${title.padEnd(28)} ${JSON.stringify(value)}`);
}
