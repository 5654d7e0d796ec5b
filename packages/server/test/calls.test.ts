import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ran, sampleTools } from './sample-tools.ts';
import { type Received, type Served, serve, ways } from './serve-ways.ts';

describe.each(ways)('calls through the %s', (way) => {
  let served: Served;
  const call = (tool: string, body: unknown, headers: Record<string, string> = {}, query = ''): Promise<Received> =>
    served.send('POST', `/v1/tools/${tool}${query}`, { body, headers });
  beforeAll(async () => {
    served = await serve(way, createToolbox(sampleTools, { report: () => {}, store: memoryStore() }));
  });
  afterAll(() => served.close());

  test('a call is answered with its outcome, and header and envelope tell the same ids', async () => {
    const { status, headers, json } = await call('add', { a: 1, b: 2 });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'ok', data: { sum: 3 }, input: { a: 1, b: 2 }, meta: { tool: 'add', attempts: 1 } });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'toolpact-dialect': 'outcome',
      'x-trace-id': json.meta.traceId,
      'x-invocation-id': json.meta.invocationId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test.each([
    ['rag:search', 'rag:search'],
    ['rag%3Asearch', 'rag:search'],
    ['rag_search', 'rag:search'],
    ['RAG.Search', 'rag:search'],
    ['search', 'rag:search'],
  ])('a tool is found as %s', async (asked, tool) => {
    expect((await call(asked, { query: 'x' })).json).toMatchObject({ status: 'ok', meta: { tool } });
  });

  test('an unknown tool is answered with the nearest names', async () => {
    const { status, json } = await call('ad', { a: 1, b: 2 });
    expect([status, json.error.kind, json.error.details.candidates]).toEqual([404, 'unknown_tool', ['add']]);
  });

  test.each([
    ['partial', 207, undefined],
    ['pending', 202, '3'],
    ['rate_limited', 429, '2'],
    ['timeout', 504, undefined],
    ['unreachable', 503, undefined],
    ['upstream', 502, undefined],
    ['conflict', 409, undefined],
    ['budget_exhausted', 402, undefined],
    ['not_found', 404, undefined],
    ['throw', 500, undefined],
  ])('an outcome that is %s has status %i', async (how, expected, wait) => {
    const { status, headers } = await call('end_as', { how });
    expect([status, headers['retry-after']]).toEqual([expected, wait]);
  });

  test('what a tool throws is shown as it was written, without its stack', async () => {
    const { text } = await call('end_as', { how: 'throw' });
    expect(JSON.parse(text)).toMatchObject({ error: { message: 'secret at /home/me/app/index.js:3' } });
    expect(text).not.toMatch(/stack|\n/);
  });

  test.each([
    ['flat', { success: true, error: null, a: 1, b: 2, sum: 3 }],
    ['coded', { code: 0, message: 'success', data: { sum: 3 }, meta: { tool: 'add' } }],
    ['value', { success: true, value: { sum: 3 } }],
    ['status', { status: 'ok', data: { sum: 3 } }],
    ['problem', { type: 'about:blank', status: 200, data: { sum: 3 }, _toolpact: { v: 1 } }],
    ['outcome', { status: 'ok', data: { sum: 3 } }],
  ])('?dialect=%s and the profile of Accept select the same form', async (dialect, expected) => {
    const byQuery = await call('add', { a: 1, b: 2 }, {}, `?dialect=${dialect}`);
    const byAccept = await call('add', { a: 1, b: 2 }, { accept: `application/json; profile=${dialect}` });
    const byUri = await call(
      'add',
      { a: 1, b: 2 },
      { accept: `text/html, application/json;q=0.9;profile="https://x.test/dialects/${dialect}"` },
    );
    for (const { json, headers } of [byQuery, byAccept, byUri]) {
      expect(json).toMatchObject(expected);
      expect(headers['toolpact-dialect']).toBe(dialect);
    }
  });

  test.each(['flat', 'coded', 'value', 'status'])('%s is strict unless the request wants the rest', async (dialect) => {
    expect((await call('add', { a: 1, b: 2 }, {}, `?dialect=${dialect}`)).json).not.toHaveProperty('_toolpact');
    expect((await call('add', { a: 1, b: 2 }, {}, `?dialect=${dialect}&strict=false`)).json).toHaveProperty('_toolpact');
  });

  test('problem details of a failure have their own content type and the status inside', async () => {
    const { status, headers, json } = await call('add', { a: 1 }, {}, '?dialect=problem&strict');
    expect([status, headers['content-type'], json.status]).toEqual([400, 'application/problem+json', 400]);
    expect(json.errors).toEqual([{ pointer: '#/b', detail: 'is required (a number)' }]);
  });

  test('a dialect that does not exist is refused with those that do', async () => {
    const { status, json } = await call('add', { a: 1, b: 2 }, {}, '?dialect=mcp');
    expect([status, json.error.kind]).toEqual([400, 'invalid_input']);
    expect(json.error.message).toContain('outcome, flat, coded, value, status, problem');
  });

  test('execute takes the form of older agents and answers in theirs', async () => {
    const body = {
      worker_id: 'w1',
      action: 'whoami',
      params: {},
      timeout: 2,
      message_id: 'm7',
      timestamp: '2026-01-01T00:00:00Z',
      async_mode: false,
    };
    const { status, json } = await served.send('POST', '/v1/execute', { body });
    expect([status, json.code, json.message]).toEqual([200, 0, 'success']);
    expect(json.data).toMatchObject({ callId: 'm7', agentName: 'w1', hurried: true });
    expect(Object.keys(json).sort()).toEqual(['code', 'data', 'message', 'meta']);
  });

  test.each([
    [{ params: {} }, 4002, 400],
    [{ action: 'nope', params: {} }, 4001, 404],
    [{ action: 'add', params: { a: 1 } }, 4002, 400],
    [{ action: 'add', params: { a: 1, b: 'x' } }, 4003, 400],
    [{ action: 'add', params: [] }, 4003, 400],
    [{ action: 'add', params: { a: 1, b: 2 }, timeout: -1 }, 4003, 400],
  ])('execute answers %j with code %i', async (body, code, expected) => {
    const { status, json } = await served.send('POST', '/v1/execute', { body });
    expect([json.code, status]).toEqual([code, expected]);
    expect(json.meta.trace_id).toMatch(/^[\da-f]{32}$/);
  });

  test('a server that keeps no keys does not say anything about repetitions', async () => {
    const served = await serve(way, createToolbox(sampleTools, { report: () => {} }));
    const { status, headers } = await served.send('POST', '/v1/tools/add', { body: { a: 1, b: 2 }, headers: { 'idempotency-key': 'k' } });
    expect(status).toBe(200);
    for (const name of ['idempotency-key', 'idempotency-replayed', 'x-idempotency-replayed']) expect(headers).not.toHaveProperty(name);
    await served.close();
  });

  test('a call with a key is made once; the answer tells whether it was replayed', async () => {
    const headers = { 'idempotency-key': `key-${way}` };
    const before = ran.pay;
    const first = await call('pay', { amount: 5 }, headers);
    const second = await call('pay', { amount: 5 }, headers);
    const other = await call('pay', { amount: 6 }, headers);
    expect(ran.pay - before).toBe(1);
    expect([first.status, first.headers['idempotency-replayed'], first.headers['x-idempotency-replayed']]).toEqual([200, 'false', 'false']);
    expect([second.status, second.headers['idempotency-replayed'], second.json.data]).toEqual([
      200,
      'true',
      { paid: 5, key: `key-${way}` },
    ]);
    expect([other.status, other.json.error.code, other.headers['idempotency-key']]).toEqual([409, 'key_reused', `key-${way}`]);
    expect((await call('pay', { amount: 1 })).headers).not.toHaveProperty('idempotency-replayed');
  });

  test.each([
    ['X-Trace-ID', 'trace-123', 'trace-123'],
    ['X-Request-ID', 'request-9', 'request-9'],
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ])('the trace id of %s is that of the call, also when it fails', async (name, value, traceId) => {
    for (const [tool, args] of [
      ['add', { a: 1, b: 2 }],
      ['add', { a: 'x' }],
      ['nope', {}],
    ] as const) {
      const { headers, json } = await call(tool, args, { [name]: value });
      expect([headers['x-trace-id'], json.meta.traceId]).toEqual([traceId, traceId]);
    }
    const refused = await call('add', '{', { [name]: value });
    expect([refused.headers['x-trace-id'], refused.json.meta.traceId]).toEqual([traceId, traceId]);
    expect((await served.send('GET', '/nowhere', { headers: { [name]: value } })).headers['x-trace-id']).toBe(traceId);
  });

  test('a path that does not exist is a problem, and so is a method that a path does not take', async () => {
    for (const path of ['/nowhere', '/v1/tools/add/schema/more']) {
      const { status, headers, json } = await served.send('GET', path);
      expect([status, headers['content-type'], json.title]).toEqual([404, 'application/problem+json', 'Not found']);
      expect(json._toolpact.error.advice).toBe('GET /v1/tools lists the tools, and POST /v1/tools/{name} calls one.');
    }
    const { status, headers, json } = await served.send('PUT', '/v1/tools/add');
    expect([status, headers['content-type'], headers.allow, json.status]).toEqual([405, 'application/problem+json', 'POST', 405]);
    expect(json._toolpact.error.advice).toBe('Send the request with POST.');
  });

  test('a body of another type is told which header to send', async () => {
    const { status, json } = await call('add', '{"a":1,"b":2}', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([status, json.error.advice]).toEqual([415, 'Add the header content-type: application/json.']);
  });

  test('an empty body is no arguments', async () => {
    expect((await served.send('POST', '/v1/tools/whoami')).json.status).toBe('ok');
    expect((await served.send('POST', '/v1/tools/add')).json.error.kind).toBe('invalid_input');
  });

  test('tools are listed page by page, with their schemas', async () => {
    const { status, json } = await served.send('GET', '/v1/tools');
    expect([status, json.total, json.tools[0].name, json.tools[0].inputSchema.required]).toEqual([200, 6, 'add', ['a', 'b']]);
    const page = await served.send('GET', '/v1/tools?offset=4&limit=1');
    expect([page.json.tools.map(({ name }: { name: string }) => name), page.json.next]).toEqual([['pay'], 5]);
    expect((await served.send('GET', '/v1/tools?limit=x')).status).toBe(400);
    const one = await served.send('GET', '/v1/tools/Rag.Search/schema');
    expect([one.status, one.json.name, one.json.inputSchema.properties]).toEqual([200, 'rag:search', { query: { type: 'string' } }]);
    expect((await served.send('GET', '/v1/tools/nope/schema')).json.type).toMatch(/#unknown_tool$/);
  });

  test('a client that asks for events hears of progress, then of the outcome in the selected form', async () => {
    const { status, headers, text } = await call('end_as', { how: 'message' }, { accept: 'text/event-stream' }, '?dialect=coded');
    expect([status, headers['content-type'], headers['toolpact-dialect']]).toEqual([200, 'text/event-stream', 'coded']);
    const [, data] = /event: outcome\ndata: (.*)\n\n$/.exec(text) ?? [];
    expect(JSON.parse(data ?? '')).toMatchObject({ code: 0, data: { fine: true } });
  });
});

test('events of a long call come while it runs, with signs of life, and a client that stops reading stops the call', async () => {
  const ended = Promise.withResolvers<string>();
  const toolbox = createToolbox(sampleTools, { report: () => {} });
  toolbox.subscribe((event) => event.type === 'call-end' && ended.resolve(event.outcome.status));
  const served = await serve('listener', toolbox, { heartbeatMs: 5 });
  const response = await fetch(`${served.url}/v1/tools/hang`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: '{}',
  });
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  while (!heard.includes(': still running')) heard += (await reader.read()).value ?? '';
  expect(heard).toContain('event: progress\ndata: {"done":1,"total":2,"message":"begun"}\n\n');
  await reader.cancel();
  expect(await ended.promise).toBe('error');
  await served.close();
});

test('a client that goes away stops its call', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const toolbox = createToolbox(sampleTools, { report: () => {} });
  toolbox.subscribe((event) => {
    if (event.type === 'call-start') begun.resolve();
    if (event.type === 'call-end') ended.resolve(event.outcome.status === 'error' ? event.outcome.error.kind : event.outcome.status);
  });
  const served = await serve('listener', toolbox);
  const leaving = new AbortController();
  const asked = fetch(`${served.url}/v1/tools/hang`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: leaving.signal,
  });
  await begun.promise;
  leaving.abort();
  await expect(asked).rejects.toThrow();
  expect(await ended.promise).toBe('cancelled');
  await served.close();
});
