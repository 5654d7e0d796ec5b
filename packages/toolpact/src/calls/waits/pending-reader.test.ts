import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { repeatBreaker } from '../../guards/repeat-breaker.ts';
import { fail, pending, toModelText } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { approvals } from '../approvals/approvals.ts';
import { defer } from './defer.ts';
import { pendingReader } from './pending-reader.ts';

const report = () => undefined;

function open() {
  const store = memoryStore();
  const ends: ((word: string) => void)[] = [];
  const run = vi.fn(() => new Promise<string>((resolve) => ends.push(resolve)));
  const slow = defineTool({
    name: 'slow',
    description: 'Takes long.',
    input: z.object({ id: z.string() }),
    effects: 'none',
    deferAfterMs: 1,
    run,
  });
  const toolbox = createToolbox([slow], { use: [defer({ store, afterMs: 1 }), repeatBreaker({ scope: () => 'all' })], report });
  return { toolbox, ends, run };
}
const handleOf = (outcome: { readonly status: string; readonly pending?: { readonly handle: string } }) => outcome.pending?.handle ?? '';

test('a model learns from the text of a deferred call how to read its result, and reads it', async () => {
  const { toolbox, ends } = open();
  const deferred = await toolbox.call('slow', { id: '1' });
  const handle = handleOf(deferred);
  expect(toModelText(deferred)).toContain(`call wait_for_result with the handle ${handle}`);
  const waiting = toolbox.answer({ name: 'wait_for_result', args: { handle } });
  ends[0]?.('done');
  expect(await waiting).toMatchObject({ status: 'ok', data: 'done', meta: { tool: 'wait_for_result' } });
});

test('one that still runs is pending again, with what to do next', async () => {
  const { toolbox } = open();
  const handle = handleOf(await toolbox.call('slow', { id: '1' }));
  const outcome = await toolbox.answer({ name: 'wait_for_result', args: { handle, waitMs: 0 } });
  expect(outcome).toMatchObject({ status: 'pending', pending: { handle, reason: 'running' } });
  expect(toModelText(outcome)).toBe(
    `[pending: running] slow still runs. Call wait_for_result with the same handle again. (handle: ${handle})`,
  );
});

test('those of another tenant, and unknown ones, are not found', async () => {
  const { toolbox } = open();
  const handle = handleOf(await toolbox.call('slow', { id: '1' }, { tenantId: 'a' }));
  for (const [tenantId, asked] of [
    ['b', handle],
    ['a', 'call_unknown'],
  ] as const)
    expect(await toolbox.answer({ name: 'wait_for_result', args: { handle: asked } }, { tenantId })).toMatchObject({
      status: 'error',
      error: { kind: 'not_found' },
    });
});

test.each<[string, object, object, boolean]>([
  ['the same run', { runId: 'r' }, { runId: 'r' }, true],
  ['the same session', { sessionId: 's' }, { sessionId: 's' }, true],
  ['the same conversation', { conversationId: 'c' }, { conversationId: 'c' }, true],
  ['another run', { runId: 'r' }, { runId: 'q' }, false],
  ['another tenant', { runId: 'r', tenantId: 'a' }, { runId: 'r', tenantId: 'b' }, false],
  ['another user', { runId: 'r', userId: 'a' }, { runId: 'r', userId: 'b' }, false],
  ['no run at all', {}, {}, false],
])('an equal call of %s joins a deferred one or runs', async (_, first, second, isJoined) => {
  const { toolbox, run } = open();
  const deferred = await toolbox.call('slow', { id: '1' }, first);
  const equal = await toolbox.call('slow', { id: '1' }, second);
  expect([run.mock.calls.length, handleOf(equal) === handleOf(deferred)]).toEqual(isJoined ? [1, true] : [2, false]);
  const other = await toolbox.call('slow', { id: '2' }, second);
  expect(handleOf(other)).not.toBe(handleOf(deferred));
});

test('once the deferred call has ended, an equal one runs again', async () => {
  const { toolbox, ends, run } = open();
  const handle = handleOf(await toolbox.call('slow', { id: '1' }, { runId: 'r' }));
  ends[0]?.('done');
  await toolbox.wait(handle);
  await toolbox.call('slow', { id: '1' }, { runId: 'r' });
  expect(run).toHaveBeenCalledTimes(2);
});

test.each<[string, object, object, boolean]>([
  ['takes longer', { deferAfterMs: 1 }, {}, true],
  ['needs an approval', { approval: true }, {}, true],
  ['answers in time', {}, {}, false],
  ['may be deferred like all others', {}, { afterMs: 1 }, true],
])('wait_for_result is among the tools where one %s, once', (_, stated, options, isThere) => {
  const store = memoryStore();
  const tool = defineTool({ name: 'act', description: 'Acts.', effects: 'none', ...stated, run: () => 1 });
  const use = [defer({ store, ...options }), approvals({ store })] as const;
  expect(
    createToolbox([tool], { use })
      .list()
      .map(({ name }) => name),
  ).toEqual(isThere ? ['act', 'wait_for_result'] : ['act']);
  const own = createToolbox([pendingReader({ store }), tool], { use });
  expect(own.with({ tenantId: 't' }).tools.map(({ name }) => name)).toEqual(['wait_for_result', 'act']);
});

test('however often a model waits for what is not there, it may wait again', async () => {
  const { toolbox } = open();
  const wait = () => toolbox.answer({ name: 'wait_for_result', args: { handle: 'call_unknown' } });
  const answers = [];
  for (let turn = 0; turn < 6; turn += 1) answers.push(await wait());
  expect(answers.map((answer) => answer.status === 'error' && answer.error.kind)).toEqual(new Array(6).fill('not_found'));
});

test.each([
  ['host', 'call wait_for_result with the handle job-1'],
  ['input', 'Tell the user. Do not call it again: call wait_for_result with the handle job-1'],
] as const)('what a handler answers as pending (%s) names the next step too', async (reason, words) => {
  const store = memoryStore();
  const order = defineTool({ name: 'order', description: 'Orders.', deferAfterMs: 1000, run: () => pending({ handle: 'job-1', reason }) });
  const outcome = await createToolbox([order], { use: [defer({ store })], report }).call('order', {});
  expect(toModelText(outcome)).toContain(words);
});

test('a call that was approved and has not run says so', async () => {
  const store = memoryStore();
  const erase = defineTool({ name: 'erase', description: 'Erases.', approval: true, run: () => 'gone' });
  const box = createToolbox([erase], { use: [defer({ store }), approvals({ store })], report });
  const asked = await box.call('erase', {});
  const handle = asked.status === 'pending' ? asked.pending.handle : '';
  await box.decide(handle, 'approve');
  const said = 'erase is approved and has not run. Make the same call again: it runs then.';
  expect(await box.wait(handle, { timeoutMs: 0 })).toMatchObject({ status: 'pending', message: said });
  expect(await box.answer({ name: 'wait_for_result', args: { handle, waitMs: 0 } })).toMatchObject({ status: 'pending', message: said });
});

test.each<['writes' | 'idempotent' | 'none', string, () => unknown, object]>([
  ['writes', 'throws', () => Promise.reject(new Error('The line went dead.')), { effect: 'unknown', recovery: 'verify' }],
  ['writes', 'refuses the arguments', () => fail('invalid_input', 'No such account.'), { effect: 'none', recovery: 'fix_input' }],
  [
    'writes',
    'failed after it paid',
    () => fail('upstream', 'No receipt.', { effect: 'applied' }),
    { effect: 'applied', recovery: 'verify' },
  ],
  ['writes', 'failed before it paid', () => fail('upstream', 'Busy.', { effect: 'none' }), { effect: 'none', recovery: 'wait' }],
  ['idempotent', 'may be repeated', () => fail('upstream', 'Busy.'), { effect: 'unknown', recovery: 'wait' }],
  ['none', 'changes nothing', () => fail('not_found', 'Not there.'), { effect: 'none', recovery: 'fix_input' }],
])('a model reads of a deferred call that %s and %s what its caller reads', async (effects, _, end, error) => {
  const store = memoryStore();
  const deferred = Promise.withResolvers<void>();
  const act = defineTool({ name: 'act', description: 'Acts.', effects, deferAfterMs: 1, run: () => deferred.promise.then(end) });
  const toolbox = createToolbox([act], { use: [defer({ store })], report });
  const handle = handleOf(await toolbox.call('act', {}));
  deferred.resolve();
  const waited = await toolbox.wait(handle);
  const read = await toolbox.answer({ name: 'wait_for_result', args: { handle } });
  expect(waited).toMatchObject({ status: 'error', error });
  expect(toModelText(read)).toBe(toModelText(waited));
  expect(read).toMatchObject({ status: 'error', error });
});
