import { expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { fail, toModelText } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';

skipTime();

test('keys and approvals', async () => {
  let runs = 0;
  const pay = defineTool({
    name: 'pay_invoice',
    description: 'Pays an invoice.',
    input: z.object({ invoice: z.string(), amount: z.number() }),
    idempotency: { key: ({ invoice }) => invoice },
    approval: ({ amount }) => (amount > 100 ? `Pay ${amount}?` : false),
    run: ({ invoice, amount }) => {
      runs += 1;
      return { receipt: `${invoice}: ${amount}` };
    },
  });
  const toolbox = createToolbox([pay], { store: memoryStore() });
  const call = (amount: number) => toolbox.call('pay_invoice', { invoice: 'A-1', amount });
  const asked = await call(500);
  expect(asked.status).toBe('pending');
  expect((await call(500)).status).toBe('pending');
  expect(await toolbox.approvals.list()).toHaveLength(1);
  if (asked.status === 'pending')
    expect(await toolbox.approvals.decide(asked.pending.handle, 'approve', { by: 'ann' })).toMatchObject({ ok: true });
  const [paid, again] = [await call(500), await call(500)];
  expect([paid.status, again.status, again.meta.replayed, runs]).toEqual(['ok', 'ok', true, 1]);
  expect(await call(600)).toMatchObject({ status: 'error', error: { kind: 'conflict', code: 'key_reused' } });
  const { calls } = await toolbox.calls.list();
  expect(calls.map(({ status, replayOf }) => [status, replayOf])).toEqual([
    ['error', undefined],
    ['ok', calls[2]?.id],
    ['ok', undefined],
  ]);
});

test('steps wait and go on', async () => {
  const store = memoryStore();
  let booked = 0;
  const book = defineTool({
    name: 'book',
    description: 'Books.',
    steps: true,
    async run(_input, { step, waitFor, sleep }) {
      await step('hold', () => {
        booked += 1;
      });
      const [{ day }, { seat }] = await Promise.all([
        waitFor('day', z.object({ day: z.string() }), { message: 'Which day?' }),
        waitFor('seat', z.object({ seat: z.enum(['aisle', 'window']) }), { message: 'Which seat?' }),
      ]);
      await sleep(20);
      return step('book', () => `booked: ${day}, ${seat}`);
    },
  });
  const toolbox = createToolbox([book], { store });
  const asked = await toolbox.call('book', {});

  const handle = asked.status === 'pending' ? asked.pending.handle : '';
  const { questions = [] } = (await toolbox.calls.get(handle)) ?? {};
  expect(questions.map(({ ask }) => ask.message)).toEqual(['Which day?', 'Which seat?']);
  const wrong = await toolbox.calls.settle(questions[1]?.handle ?? '', { seat: 'roof' });
  expect(wrong).toMatchObject({ error: { kind: 'invalid_input' } });
  const half = await toolbox.calls.settle(questions[1]?.handle ?? '', { seat: 'window' });
  expect(half.status).toBe('pending');
  await toolbox.calls.settle(questions[0]?.handle ?? '', { day: 'Monday' });

  expect(await toolbox.calls.wait(handle)).toMatchObject({ status: 'ok', data: 'booked: Monday, window' });
  expect(booked).toBe(1);
});

test('rerun', async () => {
  let isOpen = false;
  let charged = 0;
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    steps: true,
    async run(_input, { step }) {
      await step('charge', () => {
        charged += 1;
      });
      return step('ship', () => {
        if (!isOpen) throw fail('upstream', 'The post is closed.', { effect: 'none' });
        return 'shipped';
      });
    },
  });
  const toolbox = createToolbox([order], { store: memoryStore(), report: () => undefined });
  const failed = await toolbox.call('order', {});
  isOpen = true;
  expect(await toolbox.calls.rerun(failed.meta.invocationId ?? '', { from: 'nope' })).toMatchObject({ error: { kind: 'invalid_input' } });
  const again = await toolbox.calls.rerun(failed.meta.invocationId ?? '', { from: 'ship' });
  expect(again).toMatchObject({ status: 'ok', data: 'shipped' });
  expect(charged).toBe(1);
});

test('defer and cancel', async () => {
  const deaf = defineTool({
    name: 'deaf',
    description: 'Ignores its signal.',
    deferAfterMs: 10,
    run: () => new Promise<never>(() => undefined),
  });
  const lose = defineTool({ name: 'lose', description: 'Fails.', effects: 'none', run: () => fail('not_found', 'Nothing is there.') });
  const toolbox = createToolbox([deaf, lose], { store: memoryStore(), report: () => undefined });
  await toolbox.call('lose', {});
  const running = await toolbox.call('deaf', {});
  expect(toModelText(running)).toMatch(
    /^\[pending: running\] deaf is still running\. Do not call it again: call wait_for_result with its handle\. \(handle: [\w-]+\)$/,
  );
  const { calls } = await toolbox.calls.list({ since: Date.now() - 3_600_000, limit: 50 });
  expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['deaf running', 'lose error']);
  expect(await toolbox.calls.cancel(calls[0]?.id ?? '')).toBe(true);
  const stopped = await toolbox.calls.wait(running.status === 'pending' ? running.pending.handle : '');
  expect(stopped).toMatchObject({ error: { kind: 'cancelled', effect: 'unknown' } });
  expect(await toolbox.calls.get(calls[1]?.id ?? '')).toMatchObject({ kind: 'not_found', message: 'Nothing is there.' });
});
