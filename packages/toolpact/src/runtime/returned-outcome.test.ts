import { expect, test } from 'vitest';
import { fail, ok, partial, pending } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';

/** A tool that returns what another tool answered. */
function outer(run: () => unknown, onFailure?: object) {
  const inner = defineTool({ name: 'inner', description: 'x', effects: 'none', run: run as () => object });
  return createToolbox([
    inner,
    defineTool({ name: 'outer', description: 'x', onFailure: onFailure as never, run: (_, ctx) => inner.call({}, ctx) }),
  ]);
}

test('a failed outcome that a tool returns is the failure of that tool', async () => {
  const toolbox = outer(
    () =>
      fail('rate_limited', 'Too fast.', {
        retryAfterMs: 2000,
        upstream: { status: 429 },
        data: { left: 0 },
        details: { plan: 'free' },
        effect: 'none',
      }),
    { items: [] },
  );
  const events: unknown[] = [];
  toolbox.subscribe((event) => events.push(event.type === 'call-end' && event.tool === 'outer' && event.outcome.status));
  const outcome = await toolbox.call('outer', {});
  expect(outcome).toMatchObject({
    status: 'error',
    error: {
      kind: 'rate_limited',
      message: 'Too fast.',
      recovery: 'wait',
      retryable: true,
      retryAfterMs: 2000,
      upstream: { status: 429 },
      details: { plan: 'free' },
      effect: 'none',
    },
    data: { left: 0 },
    fallback: { items: [] },
    meta: { tool: 'outer', invocationId: (outcome as { error: { debugId: string } }).error.debugId },
  });
  expect(events).toContain('error');
});

test.each<[string, () => unknown, object]>([
  [
    'ok',
    () => ok({ a: 1 }, { message: 'done', tokenUsage: { input: 3 }, warnings: ['old data'] }),
    { data: { a: 1 }, message: 'done', meta: { tool: 'outer', tokenUsage: { input: 3 }, warnings: ['old data'] } },
  ],
  [
    'partial',
    () => partial([1], [{ index: 1, error: fail('not_found', 'No 2.') }], { total: 7 }),
    { data: [1], failures: [{ index: 1, error: { kind: 'not_found', message: 'No 2.' } }], total: 7 },
  ],
  [
    'pending',
    () => pending({ handle: 'h1', reason: 'input' }, { message: 'asked' }),
    { pending: { handle: 'h1', reason: 'input' }, message: 'asked' },
  ],
])('an outcome that is %s ends the tool that returns it in the same way', async (status, run, expected) => {
  expect(await outer(run).call('outer', {})).toMatchObject({ status, ...expected });
});

test('the failure of a failed batch keeps the failures of its items', async () => {
  const item = { index: 0, error: fail('not_found', 'No 1.') };
  const outcome = await outer(() => fail('all_failed', 'None.', { failures: [item as never] })).call('outer', {});
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'all_failed' }, failures: [{ index: 0, error: { kind: 'not_found' } }] });
});

test('what only looks like an outcome is data', async () => {
  const order = { status: 'error', meta: { page: 1 } };
  const broken = { status: 'error', meta: { tookMs: 1, attempts: 1 } };
  const give = (value: object) => defineTool({ name: 'give', description: 'x', effects: 'none', run: () => value }).call({});
  expect(await give(order)).toMatchObject({ status: 'ok', data: order });
  expect(await give(broken)).toMatchObject({ status: 'ok', data: broken });
});
