import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { readSettings } from '../settings/read-settings.ts';
import { sampleTools } from './sample-tools.ts';
import { wireToolbox } from './wire-toolbox.ts';

skipTime();

const toolbox = wireToolbox({ tools: sampleTools }, readSettings({ flags: new Map(), env: {} }), memoryStore());

test('one works without a network', async () => {
  expect(await toolbox.answer({ name: 'add', args: { a: 2, b: 3 } })).toMatchObject({ status: 'ok', data: { sum: 5 } });
});

test('one fails like a service that has had enough', async () => {
  expect(await toolbox.answer({ name: 'stock_quote', args: { symbol: 'ACME' } })).toMatchObject({
    status: 'error',
    error: { kind: 'rate_limited', recovery: 'wait', retryable: true, retryAfterMs: 8_000, effect: 'none', upstream: { status: 429 } },
  });
});

test('one has a service that is down', async () => {
  expect(await toolbox.answer({ name: 'weather', args: { city: 'Kyoto' } })).toMatchObject({
    status: 'error',
    error: { kind: 'unreachable', effect: 'none', retryable: true },
  });
});

test('one works in steps, and fails in the second the first time', async () => {
  const call = { name: 'book_trip', args: { city: 'Bergen', nights: 2 } };
  expect(await toolbox.answer(call)).toMatchObject({ status: 'error', error: { kind: 'unreachable' } });
  expect(await toolbox.answer(call)).toMatchObject({ status: 'ok', data: { city: 'Bergen', hotel: 'hotel for 2 nights' } });
});

test('one has to be allowed, and happens once', async () => {
  const call = { name: 'pay_invoice', args: { invoice: 'INV-7', amount: 250 } };
  const asked = await toolbox.answer(call);
  expect(asked).toMatchObject({ status: 'pending', pending: { reason: 'approval' } });
  if (asked.status === 'pending') await toolbox.approvals?.decide(asked.pending.handle, 'approve');
  const paid = await toolbox.answer(call);
  expect(paid).toMatchObject({ status: 'ok', data: { invoice: 'INV-7', receipt: expect.stringMatching(/^receipt_/) } });
});

test('small amounts need no approval, and a repeated payment is the same payment', async () => {
  const call = { name: 'pay_invoice', args: { invoice: 'INV-8', amount: 10 } };
  const [first, second] = [await toolbox.answer(call), await toolbox.answer(call)];
  expect(first).toMatchObject({ status: 'ok' });
  expect(second).toMatchObject({ status: 'ok', data: first.status === 'ok' ? first.data : undefined, meta: { replayed: true } });
});

test.each([
  ['nothing', {}, ['a', 'b']],
  ['the wrong type', { a: '2', b: 3 }, ['a']],
  ['something more', { a: 2, b: 3, c: 4 }, ['c']],
  ['no number at all', { a: 2, b: Number.NaN }, ['b']],
])('%s as arguments is reported field by field', async (_, args, fields) => {
  const outcome = await toolbox.answer({ name: 'add', args });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  expect(outcome.status === 'error' && outcome.error.issues?.map(({ path }) => path.join('.'))).toEqual(fields);
});

test('every rule of their arguments can be read in their schemas', async () => {
  const { checkTools } = await import('@toolpact/testing');
  const found = await checkTools(toolbox as never, { only: ['input'], timeoutMs: 100 });
  expect(found).toEqual([]);
  expect(toolbox.list().find(({ name }) => name === 'stock_quote')?.inputSchema).toMatchObject({
    properties: { symbol: { minLength: 1 } },
  });
});
