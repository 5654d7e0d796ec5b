import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sendByHttp } from './serve-ways.ts';
import { startChild } from './start-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-server-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const id = (count: number): string => `0f4e6712-6d04-4514-b6cb-${String(count).padStart(12, '0')}`;

test('asked to stop, a server lets calls finish, stops the rest with an answer, and the store has the ends of all', async () => {
  const file = join(folder, 'drained.db');
  const first = await startChild(file, '300');
  const call = (tool: string, count: number) =>
    sendByHttp(`${first.url}/v1/tools/${tool}`, 'POST', { body: {}, headers: { 'x-invocation-id': id(count) } });
  const finishing = call('finish', 1);
  const hanging = call('hang', 2);
  await Promise.all([first.printed('begun finish'), first.printed('begun hang')]);
  first.process.kill('SIGTERM');
  const finished = await finishing;
  expect([finished.status, finished.json.data]).toEqual([200, { finished: true }]);
  await expect(sendByHttp(`${first.url}/v1/tools/pay`, 'POST', { body: { amount: 1 } })).rejects.toThrow(/ECONNREFUSED/);
  const stopped = await hanging;
  expect([stopped.json.status, stopped.json.error.effect, stopped.json.error.retryable]).toEqual(['error', 'unknown', false]);
  await first.printed('closed');
  expect(await first.exited).toBe(0);

  const second = await startChild(file);
  const recall = async (count: number) => (await sendByHttp(`${second.url}/v1/calls/${id(count)}`, 'GET')).json;
  expect(await recall(1)).toMatchObject({ status: 'ok', outcome: { status: 'ok', data: { finished: true } } });
  expect(await recall(2)).toMatchObject({ status: 'error', outcome: { status: 'error', error: { kind: stopped.json.error.kind } } });
  second.process.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

test('what a server has acknowledged outlives kill -9: by id, and by key without running again', async () => {
  const file = join(folder, 'killed.db');
  const calls = 40;
  const first = await startChild(file);
  const pay = (url: string, count: number, own: boolean) =>
    sendByHttp(`${url}/v1/tools/pay`, 'POST', {
      body: { amount: count },
      headers: { 'idempotency-key': `pay-${count}`, ...(own && { 'x-invocation-id': id(count) }) },
    });
  const lost = sendByHttp(`${first.url}/v1/tools/hang`, 'POST', {
    body: {},
    headers: { 'x-invocation-id': id(0), 'idempotency-key': 'lost' },
  }).then(
    () => 'answered',
    () => 'lost',
  );
  await first.printed('begun hang');
  const acknowledged: number[] = [];
  const paying = Promise.allSettled(
    Array.from({ length: calls }, async (_, index) => {
      const { status } = await pay(first.url, index + 1, true);
      if (status === 200) acknowledged.push(index + 1);
      if (acknowledged.length === calls / 2) first.process.kill('SIGKILL');
    }),
  );
  await paying;
  await first.exited;
  expect(await lost).toBe('lost');
  expect(acknowledged.length).toBeGreaterThanOrEqual(calls / 2);

  const second = await startChild(file);
  for (const count of acknowledged) {
    const found = await sendByHttp(`${second.url}/v1/calls/${id(count)}`, 'GET');
    expect(found.json).toMatchObject({ status: 'ok', tool: 'pay', outcome: { status: 'ok', data: { paid: count } } });
    const replayed = await pay(second.url, count, false);
    expect([replayed.headers['idempotency-replayed'], replayed.json.data]).toEqual(['true', { paid: count, process: first.process.pid }]);
  }
  expect((await sendByHttp(`${second.url}/v1/calls/${id(0)}`, 'GET')).json).toMatchObject({ status: 'running', tool: 'hang' });
  second.process.kill('SIGKILL');
  await second.exited;
});
