import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sampleTools } from './sample-tools.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const sum = { tool: 'add', args: { a: 1, b: 2 } };
const broken = { tool: 'end_as', args: { how: 'upstream' } };

describe.each(ways)('batches through the %s', (way) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(way, createToolbox(sampleTools, { report: () => {} }), { maxBatch: 3 });
  });
  afterAll(() => served.close());
  const send = (body: unknown, query = '') => served.send('POST', `/v1/batch${query}`, { body });

  test('all calls succeeded', async () => {
    const { status, json } = await send({ calls: [{ id: 'x', ...sum }, sum] });
    expect([status, json.status]).toEqual([200, 'ok']);
    expect(json.data).toMatchObject({
      total: 2,
      executed: 2,
      skipped: 0,
      success_count: 2,
      results: [
        { id: 'x', outcome: { status: 'ok', data: { sum: 3 } } },
        { id: '1', outcome: { status: 'ok' } },
      ],
    });
  });

  test('some failed: 207, with all answers and the failures named', async () => {
    const { status, json } = await send({ calls: [sum, broken] });
    expect([status, json.status, json.failures[0].index, json.data.success_count]).toEqual([207, 'partial', 1, 1]);
  });

  test('all failed', async () => {
    const { status, json } = await send({ calls: [broken, broken] });
    expect([status, json.error.kind, json.data.results.length]).toEqual([502, 'all_failed', 2]);
  });

  test('after the first failure the others are reported as skipped, when asked', async () => {
    const { status, json } = await send({ calls: [broken, sum, sum], concurrency: 1, stopOnError: true });
    expect([status, json.data.executed, json.data.skipped]).toEqual([502, 1, 2]);
    expect(json.data.results[2].outcome.error).toMatchObject({ kind: 'cancelled', code: 'skipped' });
  });

  test('the form of older agents runs one after the other, stops at the first failure, and answers in theirs', async () => {
    const actions = [
      { action: 'add', params: { a: 1, b: 2 } },
      { action: 'end_as', params: { how: 'timeout' } },
      { action: 'add', params: { a: 3, b: 4 } },
    ];
    const { status, json } = await send({ worker_id: 'w', actions });
    expect([status, json.code, json.data.executed, json.data.success_count]).toEqual([207, 5009, 2, 1]);
    expect(json.data.results.map(({ code }: { code: number }) => code)).toEqual([0, 5005, 5004]);
    const parallel = await send({ worker_id: 'w', actions, parallel: true, stop_on_error: false });
    expect(parallel.json.data).toMatchObject({ executed: 3, success_count: 2 });
    expect((await send({ actions: [actions[1]] })).json.code).toBe(5008);
  });

  test.each([
    [{}, ['calls']],
    [{ calls: [] }, ['calls']],
    [{ calls: 'x' }, ['calls']],
    [{ calls: [sum, sum, sum, sum] }, ['calls']],
    [{ calls: [{ args: {} }] }, ['calls', 0, 'tool']],
    [{ calls: [sum, { tool: 'add', timeoutMs: 0 }] }, ['calls', 1, 'timeoutMs']],
    [{ calls: [{ id: '1', ...sum }, sum] }, ['calls']],
    [{ calls: [sum], concurrency: 0 }, ['concurrency']],
    [{ calls: [sum], stopOnError: 'yes' }, ['stopOnError']],
    [{ actions: [{ params: {} }] }, ['actions', 0, 'action']],
  ])('%j is refused, and the place named', async (body, path) => {
    const { status, json } = await send(body);
    expect([status, json.error.kind, json.error.issues[0].path]).toEqual([400, 'invalid_input', path]);
  });

  test.each([
    [{ calls: [sum], stop_on_error: true }, 'stop_on_error has no meaning beside calls, which have stopOnError'],
    [{ calls: [sum], parallel: false }, 'parallel has no meaning beside calls, which have concurrency'],
    [{ actions: [{ action: 'add' }], stopOnError: false }, 'stopOnError has no meaning beside actions, which have stop_on_error'],
    [{ actions: [{ action: 'add' }], concurrency: 4 }, 'concurrency has no meaning beside actions, which have parallel'],
    [{ actions: [{ action: 'add' }], calls: [sum] }, 'calls and actions cannot be mixed'],
    [{ calls: [{ ...sum, idempotency_key: 'k' }] }, 'calls.0 has the unknown field idempotency_key'],
  ])('%j is refused, because a part of it would be overlooked', async (body, message) => {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a key is taken, and not sent back where no guard keeps keys', async () => {
    const { status, headers } = await served.send('POST', '/v1/batch', { body: { calls: [sum] }, headers: { 'idempotency-key': 'k' } });
    expect([status, headers['idempotency-key'], headers['idempotency-replayed']]).toEqual([200, undefined, undefined]);
  });
});

describe.each(ways)('batches with keys through the %s', (way) => {
  const runs: string[] = [];
  const keys: (string | undefined)[] = [];
  const note = defineTool({
    name: 'note',
    description: 'Notes a text.',
    input: z.object({ text: z.string() }),
    run({ text }, { idempotencyKey, fail }) {
      runs.push(text);
      keys.push(idempotencyKey);
      if (text === 'busy' && runs.filter((one) => one === 'busy').length === 1) return fail('rate_limited', 'Wait.', { effect: 'none' });
      if (text === 'lost') throw new Error('nobody knows what became of it');
      return { text };
    },
  });
  let served: Served;
  beforeAll(async () => {
    served = await serve(way, createToolbox([note], { report: () => {}, store: memoryStore() }));
  });
  beforeEach(() => {
    runs.length = 0;
    keys.length = 0;
  });
  afterAll(() => served.close());
  const item = (text: string, id?: string) => ({ tool: 'note', args: { text }, ...(id !== undefined && { id }) });
  const send = (key: string, body: unknown) => served.send('POST', '/v1/batch', { body, headers: { 'idempotency-key': `${way} ${key}` } });
  const facts = ({ headers, json }: Awaited<ReturnType<typeof send>>) => [
    headers['idempotency-replayed'],
    json.data.results.map(({ outcome }: { outcome: { meta: { replayed?: boolean } } }) => outcome.meta.replayed === true),
  ];

  test('a batch that is sent again runs nothing, and gives the same outcomes', async () => {
    const calls = [item('a'), item('b', 'second'), item('a', 'third')];
    const first = await send('twice', { calls });
    const second = await send('twice', { calls });
    expect(runs.sort()).toEqual(['a', 'a', 'b']);
    expect(new Set(keys).size).toBe(3);
    expect([first.status, second.status, second.headers['idempotency-key']]).toEqual([200, 200, `${way} twice`]);
    expect([facts(first), facts(second)]).toEqual([
      ['false', [false, false, false]],
      ['true', [true, true, true]],
    ]);
    const data = ({ json }: typeof first) =>
      json.data.results.map(({ id, outcome }: { id: string; outcome: { data: unknown } }) => [id, outcome.data]);
    expect(data(second)).toEqual(data(first));
  });

  test('what stopped a batch stops it again, and what was skipped does not make it a new one', async () => {
    const calls = [item('a'), item('lost'), item('never')];
    const stopping = { calls, concurrency: 1, stopOnError: true };
    const [first, second] = [await send('stopped', stopping), await send('stopped', stopping)];
    expect(runs).toEqual(['a', 'lost']);
    expect([facts(first), facts(second)]).toEqual([
      ['false', [false, false, false]],
      ['true', [true, true, false]],
    ]);
  });

  test('two at once run once', async () => {
    const calls = [item('x'), item('y')];
    await Promise.all([send('at once', { calls }), send('at once', { calls })]);
    expect(runs.sort()).toEqual(['x', 'y']);
  });

  test('only what failed and may be repeated, or was not there before, runs again', async () => {
    const first = await send('more', { calls: [item('a'), item('busy')] });
    expect([first.status, facts(first)]).toEqual([207, ['false', [false, false]]]);
    const second = await send('more', { calls: [item('a'), item('busy'), item('new')] });
    expect([second.status, facts(second)]).toEqual([200, ['false', [true, false, false]]]);
    expect(runs.sort()).toEqual(['a', 'busy', 'busy', 'new']);
  });

  test('another call under the id of an earlier one is a conflict of that call alone', async () => {
    await send('changed', { calls: [item('a', 'one'), item('b', 'two')] });
    const { status, json } = await send('changed', { calls: [item('other', 'one'), item('b', 'two')] });
    expect([status, json.data.results[0].outcome.error.code, json.data.results[1].outcome.meta.replayed]).toEqual([
      207,
      'key_reused',
      true,
    ]);
    expect(runs).toEqual(['a', 'b']);
  });

  test('keys that look alike stand for different calls', async () => {
    await send('a', { calls: [item('one', 'b/c')] });
    await send('a/b', { calls: [item('two', 'c')] });
    await send('odd', { calls: [item('three', '\ud800 é')] });
    expect(runs).toEqual(['one', 'two', 'three']);
  });

  test('the own key of a call counts, in whichever batch it comes', async () => {
    const own = { ...item('own'), idempotencyKey: `${way} order 7` };
    await send('first', { calls: [own, item('b')] });
    const second = await served.send('POST', '/v1/batch', { body: { calls: [own] } });
    expect([runs.sort(), second.json.data.results[0].outcome.meta.replayed]).toEqual([['b', 'own'], true]);
    const single = await served.send('POST', '/v1/tools/note', { body: own.args, headers: { 'idempotency-key': own.idempotencyKey } });
    expect(single.headers['idempotency-replayed']).toBe('true');
    for (const wrong of ['', 7, 'x'.repeat(513)]) {
      const { status, json } = await served.send('POST', '/v1/batch', { body: { calls: [{ ...item('a'), idempotencyKey: wrong }] } });
      expect([status, json.error.issues[0].path]).toEqual([400, ['calls', 0, 'idempotencyKey']]);
    }
  });

  test('actions that one key cannot tell apart are refused, and run without it', async () => {
    const actions = [1, 2].map((part) => ({ action: 'note', params: { text: `part ${part}` }, message_id: 'same' }));
    const { status, text } = await send('same message', { worker_id: 'w', actions });
    expect([status, text, runs]).toEqual([400, expect.stringContaining('cannot tell them apart'), []]);
    expect((await served.send('POST', '/v1/batch', { body: { worker_id: 'w', actions } })).status).toBe(200);
    expect(runs).toEqual(['part 1', 'part 2']);
  });

  test('the form of older agents has keys by its message ids', async () => {
    const actions = [
      { action: 'note', params: { text: 'old' }, message_id: 'm1' },
      { action: 'note', params: { text: 'older' } },
    ];
    await send('old', { worker_id: 'w', actions });
    const again = await send('old', { worker_id: 'w', actions });
    expect([runs, again.headers['idempotency-replayed'], again.json.code]).toEqual([['old', 'older'], 'true', 0]);
  });
});
