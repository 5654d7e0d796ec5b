import { createResources, createToolbox, defineResource, defineTool, pending } from 'toolpact';
import { problem } from 'toolpact/dialects';
import { spill } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnswerForm, createClient } from '../../src/client/index.ts';
import { apiKeys, createApiKey } from '../../src/index.ts';
import { ran, sampleTools } from '../sample-tools.ts';
import { type Served, serve } from '../serve-ways.ts';
import { originDialects } from '../with-origins.ts';
import { http, startRaw } from './raw-server.ts';

const tenantId = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const dialects = [...originDialects, problem] as const;
const nameOf = (form: AnswerForm) => (form === 'outcome' ? form : form.name);
const forms = (['outcome', ...dialects] as const).map((form) => [nameOf(form), form] as const);

const steps = defineTool({
  name: 'steps',
  description: 'Goes step by step.',
  input: z.object({ count: z.number().int() }),
  effects: 'none',
  run({ count }, { progress }) {
    for (let done = 1; done <= count; done += 1) progress({ done, total: count });
    return { count };
  },
});
const later = defineTool({
  name: 'later',
  description: 'Ends elsewhere.',
  input: z.object({ handle: z.string() }),
  effects: 'none',
  run: ({ handle }) => pending({ handle, reason: 'host' }),
});
const launch = defineTool({
  name: 'launch',
  description: 'Needs a yes.',
  input: z.object({ to: z.string() }),
  approval: true,
  run: ({ to }) => ({ to }),
});
const many = defineTool({
  name: 'many',
  description: 'Gives much.',
  effects: 'none',
  maxResultChars: 500,
  run: () => ({ items: Array.from({ length: 120 }, (_, index) => `item ${index}`) }),
});

function makeToolbox() {
  const store = memoryStore();
  return createToolbox([...sampleTools, steps, later, launch, many], {
    report: () => {},
    resources: createResources([defineResource({ type: 'browser', open: () => ({}) })]),
    store,
    use: [spill({ store })],
  });
}
type Toolbox = ReturnType<typeof makeToolbox>;

let served: Served;
beforeAll(async () => {
  served = await serve('listener', makeToolbox());
});
afterAll(() => served.close());
const make = (options = {}) => createClient<Toolbox>(served.url, { retry: { baseMs: 0 }, ...options });

describe.each(forms)('asked for %s, a client', (name, dialect) => {
  test('gets a result back whole', async () => {
    const outcome = await make({ dialect }).call('add', { a: 1, b: 2 });
    expect(outcome).toMatchObject({ status: 'ok', data: { sum: 3 }, input: { a: 1, b: 2 }, meta: { tool: 'add', attempts: 1 } });
    expect(outcome.meta.traceId).toMatch(/^[\da-f]{32}$/);
  });

  test('gets a failure back whole', async () => {
    const outcome = await make({ dialect, retry: false }).call('end_as', { how: 'rate_limited' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'rate_limited', message: 'Too many.', retryAfterMs: 1200, retryable: true, recovery: 'wait', effect: 'none' },
    });
    expect(await make({ dialect }).call('add', { a: 1 } as never)).toMatchObject({
      error: { kind: 'invalid_input', issues: [{ path: ['b'], problem: 'missing' }] },
    });
  });

  test('gets what is neither back whole', async () => {
    expect(await make({ dialect }).call('end_as', { how: 'partial' })).toMatchObject({
      status: 'partial',
      data: { done: [1] },
      total: 2,
      failures: [{ index: 1, error: { kind: 'upstream' } }],
    });
    expect(await make({ dialect }).call('later', { handle: `h-${name}` })).toMatchObject({
      status: 'pending',
      pending: { handle: `h-${name}`, reason: 'host' },
    });
  });

  test('makes a batch', async () => {
    const answers = await make({ dialect }).batch([
      { tool: 'add', args: { a: 1, b: 2 }, id: 'sum' },
      { tool: 'end_as', args: { how: 'conflict' } },
    ]);
    expect(answers).toMatchObject([
      { id: 'sum', outcome: { status: 'ok', data: { sum: 3 } } },
      { id: '1', outcome: { status: 'error', error: { kind: 'conflict' } } },
    ]);
  });
});

test('a call of a batch without an id gets one that no other has', async () => {
  const args = { a: 1, b: 2 };
  const answers = await make().batch([
    { tool: 'add', args, id: '1' },
    { tool: 'add', args },
    { tool: 'add', args, id: '1_' },
  ]);
  expect(answers).toMatchObject(['1', '1__', '1_'].map((id) => ({ id, outcome: { status: 'ok', data: { sum: 3 } } })));
});

test('a batch with a key that is sent again runs nothing again', async () => {
  const before = ran.pay;
  const calls = [
    { tool: 'pay', args: { amount: 4 } },
    { tool: 'pay', args: { amount: 5 }, id: 'b' },
  ] as const;
  for (const _ of [1, 2]) await make().batch(calls, { idempotencyKey: 'batch-7' });
  const [first, second] = await make().batch(calls, { idempotencyKey: 'batch-7' });
  expect([first?.outcome.meta.replayed, second?.outcome.meta.replayed, ran.pay - before]).toEqual([true, true, 2]);
});

describe('envelopes of other servers', () => {
  const outcome = { status: 'ok', data: { sum: 3 }, meta: { tookMs: 1, attempts: 1 } } as const;

  test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    '%s is read by its shape alone, without our block and headers',
    async (_, dialect) => {
      const other = await startRaw((_, socket) => socket.end(http(200, JSON.stringify(dialect.encode(outcome, { strict: true })))));
      expect(await createClient(other.url, { dialects: originDialects }).call('add', {})).toMatchObject({ status: 'ok', data: { sum: 3 } });
      await other.close();
    },
  );

  test('a failure without any word on repeating is not to be repeated when the tool writes', async () => {
    const other = await startRaw((request, socket) =>
      socket.end(
        request.method === 'GET'
          ? http(404, '')
          : http(429, '{"success":false,"error":"Slow down.","error_code":"rate_limited"}', { 'retry-after': '7' }),
      ),
    );
    expect(await createClient(other.url, { dialects: originDialects }).call('add', {})).toMatchObject({
      error: { kind: 'rate_limited', recovery: 'wait', effect: 'unknown', retryable: false },
    });
    expect(await createClient(other.url, { dialects: originDialects, retry: false }).call('add', {}, { effects: 'none' })).toMatchObject({
      error: { kind: 'rate_limited', retryable: true, retryAfterMs: 7000 },
    });
    await other.close();
  });
});

describe('ids', () => {
  test('a client makes one run for its calls, and every call a trace', async () => {
    const client = make();
    const [first, second] = [await client.call('whoami', {}), await client.call('whoami', {})];
    if (first.status !== 'ok' || second.status !== 'ok') throw new Error('the calls failed');
    expect(client.runId).toMatch(/^run_[\da-f]{32}$/);
    expect([first.data.runId, second.data.runId]).toEqual([client.runId, client.runId]);
    expect(first.data.traceId).not.toBe(second.data.traceId);
  });

  test('what is stated travels, and a call belongs to one kind of run', async () => {
    const client = make({ tenantId, caseId: 'crm-1', workflowId: 'w' });
    expect(await client.call('whoami', {}, { ingestionRunId: 'ingest_1', caseId: 'crm-2', requestId: 'r' })).toMatchObject({
      data: { tenantId, caseId: 'crm-2', workflowId: 'w', ingestionRunId: 'ingest_1', requestId: 'r' },
    });
    const bound = client.with({ runId: 'run_7' });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect([bound.runId, await bound.call('whoami', {}, { traceparent })]).toMatchObject([
      'run_7',
      { data: { runId: 'run_7', caseId: 'crm-1' }, meta: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' } },
    ]);
  });
});

test('a key makes two calls one', async () => {
  const before = ran.pay;
  const key = { idempotencyKey: 'client-key' };
  expect(await make().call('pay', { amount: 5 }, key)).toMatchObject({ status: 'ok', data: { paid: 5 } });
  expect(await make().call('pay', { amount: 5 }, key)).toMatchObject({ status: 'ok', data: { paid: 5 }, meta: { replayed: true } });
  expect(ran.pay - before).toBe(1);
});

test('progress is heard in order, then the outcome comes', async () => {
  const heard: unknown[] = [];
  const outcome = await make().call('steps', { count: 3 }, { onProgress: ({ done }) => heard.push(done) });
  expect([heard, outcome]).toMatchObject([[1, 2, 3], { status: 'ok', data: { count: 3 }, meta: { tool: 'steps' } }]);
});

test('a streamed call that is refused is answered all the same', async () => {
  expect(await make().call('steps', { count: 'x' } as never, { onProgress: () => {} })).toMatchObject({ error: { kind: 'invalid_input' } });
  expect(await make().call('nope' as never, {} as never, { onProgress: () => {} })).toMatchObject({ error: { kind: 'unknown_tool' } });
});

test.each([false, true])('stopping a call stops it on the server (streamed: %s)', async (streamed) => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const toolbox = createToolbox(sampleTools, { report: () => {} });
  toolbox.subscribe((event) => {
    if (event.type === 'call-start') begun.resolve();
    if (event.type === 'call-end') ended.resolve(event.outcome.status);
  });
  const own = await serve('listener', toolbox);
  const leaving = new AbortController();
  const asked = createClient(own.url).call('hang', {}, { signal: leaving.signal, ...(streamed && { onProgress: () => {} }) });
  await begun.promise;
  leaving.abort();
  expect(await asked).toMatchObject({ status: 'error', error: { kind: 'cancelled' } });
  expect(await ended.promise).toBe('error');
  await own.close();
});

test('tools are listed, and one is read by any spelling', async () => {
  const listed = await make().list();
  expect(listed).toMatchObject({ status: 'ok' });
  expect(listed.status === 'ok' && listed.data.map(({ name }) => name)).toEqual([
    'add',
    'rag:search',
    'end_as',
    'hang',
    'pay',
    'whoami',
    'steps',
    'later',
    'launch',
    'many',
    'wait_for_result',
  ]);
  expect(await make().schema('rag:search')).toMatchObject({ status: 'ok', data: { name: 'rag:search', effects: 'none' } });
  expect(await make().schema('nope' as never)).toMatchObject({ status: 'error', error: { kind: 'unknown_tool' } });
});

test('a call is found by its id', async () => {
  const done = await make().call('add', { a: 2, b: 2 });
  expect(await make().findCall(done.meta.invocationId ?? '')).toMatchObject({
    status: 'ok',
    data: { tool: 'add', status: 'ok', outcome: { status: 'ok', data: { sum: 4 } } },
  });
  expect(await make().findCall('nobody')).toMatchObject({ status: 'error', error: { kind: 'not_found' } });
});

test('a result that was too large is read page by page', async () => {
  const cut = await make().call('many', {});
  const ref = cut.meta.resultRef ?? '';
  const sizes: number[] = [];
  for await (const page of make().readPages(ref, { path: 'items' }))
    sizes.push(page.status === 'ok' ? (page.data.value as unknown[]).length : -1);
  expect(sizes).toEqual([50, 50, 20]);
  expect(await make().readResult(ref, { path: 'items', offset: 118, limit: 1 })).toMatchObject({
    status: 'ok',
    data: { value: ['item 118'], total: 120, next: 119 },
  });
  expect(await make().readResult('result_nobody')).toMatchObject({ status: 'error', error: { kind: 'not_found' } });
});

test('a pending call is waited for, and settled once', async () => {
  const client = make();
  await client.call('later', { handle: 'h-settle' });
  expect(await client.wait('h-settle', { timeoutMs: 1 })).toMatchObject({ status: 'pending' });
  const waiting = client.wait('h-settle');
  expect(await client.settle('h-settle', { data: { done: true } })).toMatchObject({ status: 'ok', data: { done: true } });
  expect(await waiting).toMatchObject({ status: 'ok', data: { done: true } });
  expect(await client.settle('h-settle', { error: { kind: 'conflict', message: 'Too late.' } })).toMatchObject({
    status: 'ok',
    data: { done: true },
  });
  expect(await client.wait('nobody')).toMatchObject({ status: 'error', error: { kind: 'not_found' } });
});

test('a call that needs a yes runs once it has one', async () => {
  const client = make();
  const asked = await client.call('launch', { to: 'moon' });
  if (asked.status !== 'pending') throw new Error('the call did not wait');
  expect(await client.listApprovals()).toMatchObject({
    status: 'ok',
    data: [{ handle: asked.pending.handle, tool: 'launch', state: 'waiting' }],
  });
  expect(await client.decide(asked.pending.handle, 'approve', { reason: 'fine' })).toMatchObject({
    status: 'ok',
    data: { state: 'approved', reason: 'fine' },
  });
  expect(await client.decide(asked.pending.handle, 'deny')).toMatchObject({ status: 'error', error: { kind: 'conflict' } });
  expect(await client.call('launch', { to: 'moon' })).toMatchObject({ status: 'ok', data: { to: 'moon' } });
});

test('an approval counts for the run that asked: a program that comes back gives its id again', async () => {
  const first = make();
  const asked = await first.call('launch', { to: 'mars' });
  if (asked.status !== 'pending') throw new Error('the call did not wait');
  await first.decide(asked.pending.handle, 'approve');
  expect(await make().call('launch', { to: 'mars' })).toMatchObject({ status: 'pending' });
  expect(await make({ runId: first.runId }).call('launch', { to: 'mars' })).toMatchObject({ status: 'ok' });
});

test('sessions are opened, listed, kept alive and ended', async () => {
  const { sessions } = make();
  const opened = await sessions.create({ resourceType: 'browser', workerId: 'w1' });
  expect(opened).toMatchObject({ status: 'ok', data: { resource_type: 'browser', worker_id: 'w1', status: 'active', created: true } });
  const sessionId = opened.status === 'ok' ? opened.data.session_id : '';
  expect(await sessions.list({ workerId: 'w1' })).toMatchObject({
    status: 'ok',
    data: { total: 1, sessions: [{ session_id: sessionId }] },
  });
  expect(await sessions.refresh({ sessionId })).toMatchObject({ status: 'ok', data: { total: 1 } });
  expect(await sessions.destroy({ sessionId })).toMatchObject({ status: 'ok', data: { total: 1 } });
  expect(await sessions.list()).toMatchObject({ status: 'ok', data: { total: 0 } });
  expect(await sessions.create({ resourceType: 'nothing' })).toMatchObject({ status: 'error' });
});

test('a session without a worker is opened once, also where its first answer is lost', async () => {
  let requests = 0;
  const { sessions } = make({
    fetch: async (...args: Parameters<typeof fetch>) => {
      const response = await fetch(...args);
      requests += 1;
      if (requests > 1) return response;
      throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    },
  });
  expect(await sessions.create({ resourceType: 'browser' })).toMatchObject({ status: 'ok', data: { created: false } });
  expect(requests).toBe(2);
  const listed = await sessions.list();
  expect(listed).toMatchObject({ status: 'ok', data: { total: 1 } });
  const sessionId = listed.status === 'ok' ? listed.data.sessions[0]?.session_id : undefined;
  if (sessionId !== undefined) await sessions.destroy({ sessionId });
});

test('a server that asks who calls gets a key or a token', async () => {
  const { key, hash } = createApiKey();
  const guarded = await serve('listener', makeToolbox(), { auth: apiKeys([{ hash, tenantId }]) });
  const who = async (options: object) => createClient<Toolbox>(guarded.url, options).call('whoami', {});
  expect(await who({})).toMatchObject({ status: 'error', error: { kind: 'unauthenticated', recovery: 'reauth' } });
  expect(await who({ apiKey: key })).toMatchObject({ status: 'ok', data: { tenantId } });
  expect(await who({ token: async () => key })).toMatchObject({ status: 'ok', data: { tenantId } });
  expect(await createClient(guarded.url, { apiKey: key }).listApprovals()).toMatchObject({ status: 'error', error: { kind: 'forbidden' } });
  await guarded.close();
});

test('a server below a path is found there', async () => {
  const raw = await startRaw((_, socket) => socket.end(http(200, '{"status":"ok","data":1,"meta":{"tookMs":1,"attempts":1}}')));
  await createClient(`${raw.url}/tools-api/`).call('rag:search', {});
  expect(raw.asked.map(({ path }) => path)).toEqual(['/tools-api/v1/tools/rag%3Asearch']);
  await raw.close();
});
