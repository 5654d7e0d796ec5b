import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolbox } from '../../src/core/runtime/index.ts';
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

  test('a key cannot stand for several calls', async () => {
    const { status, json } = await served.send('POST', '/v1/batch', { body: { calls: [sum] }, headers: { 'idempotency-key': 'k' } });
    expect([status, json.error.kind]).toEqual([400, 'invalid_input']);
  });
});
