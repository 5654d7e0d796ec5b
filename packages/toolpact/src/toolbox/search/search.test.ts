import { expect, test } from 'vitest';
import { z } from 'zod';
import { circuitBreaker, policy } from '../../guards/public.ts';
import { createToolbox, defineTool, fail, toModelText } from '../../index.ts';
import { insideOf } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const calls: unknown[] = [];
const payInvoice = defineTool({
  name: 'billing:pay_invoice',
  description: 'Pays an open invoice of a supplier.',
  input: z.object({ invoice: z.string() }),
  idempotency: { key: ({ invoice }) => invoice },
  approval: ({ invoice }) => invoice === 'large',
  run: ({ invoice }) => {
    calls.push(invoice);
    return { paid: invoice };
  },
});
const refund = defineTool({
  name: 'refund_payment',
  description: 'Gives money back to a customer.',
  input: z.object({ payment: z.string() }),
  effects: 'writes',
  run: () => fail('upstream', 'The bank is closed.'),
});
const many = Array.from({ length: 40 }, (_, at) =>
  defineTool({ name: `report_${at}`, description: `Returns report number ${at}.`, effects: 'none', run: () => ({ at }) }),
);
const tools = [payInvoice, refund, ...many] as const;

const offered = (toolbox: { readonly list: () => readonly { readonly name: string; readonly deferred?: true }[] }): string[] =>
  toolbox.list().flatMap(({ name, deferred }) => (deferred === true ? [] : [name]));

test('a toolbox finds its tools by what they do', async () => {
  const toolbox = createToolbox([refund, ...many]);
  const found = await toolbox.search('give the customer his money back', { limit: 2 });
  expect(found[0]).toMatchObject({ name: 'refund_payment', providerName: 'refund_payment', effects: 'writes' });
  expect(found).toHaveLength(1);
  expect(await toolbox.search('report')).toHaveLength(5);
});

test('above the limit models are offered a few tools and the search; below it nothing changes', () => {
  const store = memoryStore();
  const above = createToolbox(tools, { store, search: { always: ['refund_payment'], above: 30 } });
  expect(offered(above)).toEqual(['refund_payment', 'wait_for_result', 'search_tools', 'call_tool']);
  expect(above.list()).toHaveLength(tools.length + 3);
  const below = createToolbox(tools, { store, search: { above: 42 } });
  expect(offered(below)).toEqual([...tools.map(({ name }) => name), 'wait_for_result']);
  expect(insideOf(below).search).toBeUndefined();
});

test.each([
  [{ always: ['missing'] }, 'search.always names "missing", which is not a tool of this toolbox'],
  [{ above: -1 }, 'search: above must be a number from 0'],
  [{ alwyas: [] } as never, 'alwyas'],
])('search: %j is refused', (search, message) => {
  expect(() => createToolbox(tools, { store: memoryStore(), search })).toThrow(message);
});

test('two tools of the same name as those of the search are refused', () => {
  const own = defineTool({ name: 'search_tools', description: 'Searches.', run: () => 1 });
  expect(() => createToolbox([own, ...many], { search: {} })).toThrow('two tools are named "search_tools"');
  expect(offered(createToolbox([own, ...many]))).toContain('search_tools');
});

test('search_tools gives a model what it needs for a call', async () => {
  const toolbox = createToolbox(tools, { store: memoryStore(), search: {} });
  const outcome = await toolbox.answer({ name: 'search_tools', args: { query: 'pay a bill', limit: 1 } });
  expect(outcome).toMatchObject({
    status: 'ok',
    data: {
      tools: [
        {
          name: 'billing_pay_invoice',
          description: 'Pays an open invoice of a supplier.',
          effects: 'writes',
          approval: 'sometimes',
          inputSchema: { properties: { invoice: { type: 'string' } }, required: ['invoice'] },
        },
      ],
    },
  });
  const none = await toolbox.answer({ name: 'search_tools', args: { query: 'xyzzy' } });
  expect(toModelText(none)).toContain('No tool matches. Search again with other words.');
  expect(await toolbox.answer({ name: 'search_tools', args: { query: ' ' } })).toMatchObject({ error: { kind: 'invalid_input' } });
});

test.each([
  ['an object', { name: 'billing_pay_invoice', arguments: { invoice: 'A-1' } }],
  ['JSON text', '{"name": "billing:pay_invoice", "arguments": {"invoice": "A-1"}}'],
  ['arguments as JSON text', { name: 'Billing.PayInvoice', arguments: '{"invoice": "A-1"}' }],
])('a call through call_tool is the call of that tool: %s', async (_, args) => {
  calls.length = 0;
  const toolbox = createToolbox(tools, { store: memoryStore(), search: {} });
  const events: string[] = [];
  toolbox.subscribe((event) => 'tool' in event && events.push(`${event.type} ${event.tool}`));
  const first = await toolbox.answer({ name: 'call_tool', args, callId: 'c1' });
  expect(first).toMatchObject({
    status: 'ok',
    data: { paid: 'A-1' },
    input: { invoice: 'A-1' },
    meta: { tool: 'billing:pay_invoice', callId: 'c1' },
  });
  expect(events).toContain('call-start billing:pay_invoice');
  expect(events.filter((event) => event.includes('call_tool'))).toEqual([]);
  // The key is that of the tool, however it is called.
  const direct = await toolbox.call('billing:pay_invoice', { invoice: 'A-1' });
  expect(direct.meta.replayed).toBe(true);
  expect(calls).toEqual(['A-1']);
  const { calls: listed } = await toolbox.calls.list();
  expect(new Set(listed.map(({ tool }) => tool))).toEqual(new Set(['billing:pay_invoice']));
});

test('approvals, policies and batches see the tool that is meant', async () => {
  calls.length = 0;
  const seen: string[] = [];
  const guard = policy({
    policies: [
      ({ tool }) => {
        seen.push(tool.name);
        return tool.name === 'refund_payment' ? { deny: 'no refunds' } : 'allow';
      },
    ],
  });
  const toolbox = createToolbox(tools, { store: memoryStore(), use: [guard], search: {} });
  const through = (name: string, args: object) => ({ tool: 'call_tool', args: { name, arguments: args } });
  const [asked, denied, plain] = await toolbox.batch([
    through('billing_pay_invoice', { invoice: 'large' }),
    through('refund_payment', { payment: 'p' }),
    through('report_3', {}),
  ]);
  expect(asked?.outcome).toMatchObject({ status: 'pending', pending: { reason: 'approval' }, meta: { tool: 'billing:pay_invoice' } });
  expect(denied?.outcome).toMatchObject({ error: { kind: 'denied' }, meta: { tool: 'refund_payment' } });
  expect(plain?.outcome).toMatchObject({ data: { at: 3 }, meta: { tool: 'report_3' } });
  expect(seen).not.toContain('call_tool');
  const [open] = await toolbox.approvals.list();
  await toolbox.approvals.decide(open?.handle ?? '', 'approve', { by: 'ann' });
  const call = { name: 'call_tool', args: through('billing:pay_invoice', { invoice: 'large' }).args };
  expect(await toolbox.answer(call)).toMatchObject({ status: 'ok', data: { paid: 'large' } });
  expect(calls).toEqual(['large']);
});

test.each([
  ['without a name', {}, 'invalid_input'],
  ['of itself', { name: 'call_tool', arguments: { name: 'report_1', arguments: {} } }, 'invalid_input'],
  ['of a tool that does not exist', { name: 'launch_rocket', arguments: {} }, 'unknown_tool'],
  ['with wrong arguments', { name: 'refund_payment', arguments: { payment: 7 } }, 'invalid_input'],
  ['with text that is no JSON', 'report_1', 'invalid_input'],
])('a call of call_tool %s is answered', async (_, args, kind) => {
  const toolbox = createToolbox(tools, { store: memoryStore(), search: {} });
  expect(await toolbox.answer({ name: 'call_tool', args })).toMatchObject({ status: 'error', error: { kind } });
  expect(await toolbox.call('call_tool' as never, args as never)).toMatchObject({ status: 'error', error: { kind } });
});

test('results say whether the circuit is open and how the last call failed, for each tenant', async () => {
  const breaker = circuitBreaker({ failures: 2, now: () => Date.UTC(2026, 0, 1) });
  const toolbox = createToolbox(tools, { store: memoryStore(), use: [breaker], search: {} });
  const [a, b] = [toolbox.with({ tenantId: 'a' }), toolbox.with({ tenantId: 'b' })];
  for (const _ of [1, 2]) await a.answer({ name: 'call_tool', args: { name: 'refund_payment', arguments: { payment: 'p' } } });
  const [found] = await a.search('refund');
  expect(found).toMatchObject({
    name: 'refund_payment',
    circuitOpenUntil: '2026-01-01T00:01:00.000Z',
    lastFailure: { kind: 'upstream', at: expect.any(String) },
  });
  const asked = await a.answer({ name: 'search_tools', args: { query: 'refund' } });
  expect(asked).toMatchObject({ data: { tools: [{ circuitOpenUntil: '2026-01-01T00:01:00.000Z', lastFailure: { kind: 'upstream' } }] } });
  const [other] = await b.search('refund');
  expect(other).not.toHaveProperty('circuitOpenUntil');
  expect(other).not.toHaveProperty('lastFailure');
});

test('a caller finds only the tools that it may call', async () => {
  const toolbox = createToolbox(tools, { store: memoryStore(), search: {} }).with({ mayCall: (tool) => tool === 'report_7' });
  expect((await toolbox.search('report')).map(({ name }) => name)).toEqual(['report_7']);
  const outcome = await toolbox.answer({ name: 'search_tools', args: { query: 'refund a payment or show a report', limit: 20 } });
  expect(outcome).toMatchObject({ data: { tools: [{ name: 'report_7' }] } });
});

test('a large schema is outlined, and read in full by the name of its tool', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`field_${at}`, z.string().describe('x'.repeat(100)).optional()]),
  );
  const large = defineTool({
    name: 'large',
    description: 'Stores a very large form.',
    input: z.object({ ...fields, id: z.string() }),
    run: () => 1,
  });
  const toolbox = createToolbox([large, ...many], { search: {} });
  const read = async (query: string) =>
    JSON.parse(JSON.stringify(await toolbox.answer({ name: 'search_tools', args: { query } }))).data.tools[0];
  const outlined = await read('store the form');
  expect(JSON.stringify(outlined).length).toBeLessThan(3_500);
  expect(Object.keys(outlined.inputSchema.properties)[0]).toBe('id');
  expect(outlined.note).toBe('Some parameters are shortened. Search for "large" to read all of them.');
  expect(Object.keys((await read('large')).inputSchema.properties)).toHaveLength(201);
});
