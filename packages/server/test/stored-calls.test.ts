import type { EventOf } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { resultReader, spill } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Authenticate, Identity } from '../src/index.ts';
import { sampleTools } from './sample-tools.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const people: Readonly<Record<string, Identity>> = {
  caller: { tenantId: tenant, keyId: 'caller' },
  adder: { tenantId: tenant, scopes: ['tools:call:add'] },
  reader: { tenantId: tenant, keyId: 'reader', scopes: ['tools:call:add', 'tools:call:read_result'] },
  lister: { tenantId: tenant, scopes: ['tools:call:many', 'tools:call:add', 'tools:call:read_result'] },
  boss: { tenantId: tenant, subject: 'boss', scopes: ['admin'] },
  ann: { tenantId: tenant, subject: 'ann', scopes: ['tools:call:*', 'approvals:decide'], roles: ['finance'] },
  bob: { tenantId: tenant, subject: 'bob', scopes: ['approvals:decide'], roles: ['finance', 'sales'] },
  stranger: { tenantId: '6bb31da6-9278-4da0-9f1a-61b8d3edc5cc' },
};
const auth: Authenticate = ({ headers }) => people[headers.get('x-api-key') ?? ''];
const as = (who: string, body?: unknown) => ({ headers: { 'x-api-key': who }, ...(body !== undefined && { body }) });

const many = defineTool({
  name: 'many',
  description: 'Gives a long list.',
  input: z.object({}),
  effects: 'none',
  maxResultChars: 2_000,
  run: () => ({ items: Array.from({ length: 500 }, (_, index) => `item ${index}`) }),
});
const erase = defineTool({ name: 'erase', description: 'Erases.', input: z.object({}), approval: true, run: () => ({ erased: true }) });
const transfer = defineTool({
  name: 'transfer',
  description: 'Transfers.',
  input: z.object({ amount: z.number().max(1000) }),
  approval: { ask: ({ amount }) => `Transfer ${amount}?`, by: ['finance'], fourEyes: true, expiresMs: 60_000, onExpiry: 'deny' },
  run: ({ amount }) => ({ transferred: amount }),
});

const denied: EventOf<'denied'>[] = [];

describe.each(ways)('what became of calls, through the %s', (way) => {
  let served: Served;
  let plain: Served;
  beforeAll(async () => {
    const store = memoryStore();
    const toolbox = createToolbox([...sampleTools, many, erase, transfer, resultReader({ store })], {
      report: () => {},
      store,
      use: [spill({ store })],
    });
    toolbox.subscribe((event) => event.type === 'denied' && denied.push(event));
    served = await serve(way, toolbox, { auth });
    plain = await serve(way, createToolbox(sampleTools, { report: () => {} }));
  });
  afterAll(async () => {
    await served.close();
    await plain.close();
  });

  test('a call is found by its id, by its own tenant only, and by those who may call its tool', async () => {
    const { json } = await served.send('POST', '/v1/tools/pay', as('caller', { amount: 2 }));
    const path = `/v1/calls/${json.meta.invocationId}`;
    const found = await served.send('GET', path, as('caller'));
    expect([found.status, found.json.status, found.json.tool, found.json.outcome.data.paid]).toEqual([200, 'ok', 'pay', 2]);
    expect((await served.send('GET', `${path}?dialect=coded`, as('caller'))).json.outcome.code).toBe(0);
    expect((await served.send('GET', path, as('stranger'))).status).toBe(404);
    expect((await served.send('GET', path, as('adder'))).status).toBe(404);
    expect((await served.send('GET', '/v1/calls/none', as('caller'))).status).toBe(404);
    expect((await served.send('GET', path, as('nobody'))).status).toBe(401);
  });

  test('a result that was too large is read page by page', async () => {
    const { json } = await served.send('POST', '/v1/tools/many', as('caller', {}));
    const path = `/v1/results/${json.meta.resultRef}?path=items&offset=490&limit=5`;
    const page = await served.send('GET', path, as('caller'));
    expect([page.status, page.json.data.total, page.json.data.value[0], page.json.data.next]).toEqual([200, 500, 'item 490', 495]);
    expect((await served.send('GET', path, as('stranger'))).status).toBe(404);
    expect((await served.send('GET', '/v1/results/x?offset=-1', as('caller'))).status).toBe(400);
  });

  test.each([
    ['GET', 'a part of a result', '/v1/results/REF?path=items', undefined, 200],
    ['GET', 'a result that is not there', '/v1/results/none', undefined, 404],
    ['GET', 'a call that still waits', '/v1/pending/h-1', undefined, 202],
    ['GET', 'a pending call that is not there', '/v1/pending/none', undefined, 404],
    ['POST', 'the end of a pending call that is not there', '/v1/pending/none', { data: 1 }, 404],
  ])('%s of %s is answered under the trace of the request, in header and envelope', async (method, _, path, body, status) => {
    const { json } = await served.send('POST', '/v1/tools/many', as('caller', {}));
    await served.send('POST', '/v1/tools/end_as', as('caller', { how: 'pending' }));
    const who = as(method === 'POST' ? 'boss' : 'caller', body);
    const sent = { ...who, headers: { ...who.headers, 'x-trace-id': 'trace-7' } };
    const answer = await served.send(method, path.replace('REF', json.meta.resultRef), sent);
    expect([answer.status, answer.headers['x-trace-id'], answer.json.meta.traceId]).toEqual([status, 'trace-7', 'trace-7']);
  });

  test('a result is read by those alone who may call the tool that made it, on whichever way they ask', async () => {
    const { json } = await served.send('POST', '/v1/tools/many', as('caller', {}));
    const ref = json.meta.resultRef as string;
    const path = `/v1/results/${ref}`;
    const mcp = (args: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_result', arguments: args } });
    const accept = { accept: 'application/json, text/event-stream' };
    const asks: [string, string, unknown, Record<string, string>?][] = [
      ['GET', path, undefined],
      ['POST', '/v1/tools/read_result', { ref }],
      ['POST', '/v1/tools/Read-Result', { ref }],
      ['POST', '/v1/execute', { action: 'read_result', params: { ref } }],
      [
        'POST',
        '/v1/batch',
        {
          calls: [
            { tool: 'add', args: { a: 1, b: 2 } },
            { tool: 'read_result', args: { ref } },
          ],
        },
      ],
      ['POST', '/mcp', mcp({ ref }), accept],
      ['POST', '/mcp', mcp({ ref }), { ...accept, 'mcp-protocol-version': '2025-06-18' }],
    ];
    for (const [method, where, body, headers] of asks) {
      const send = (who: string) => {
        const sent = as(who, body);
        return served.send(method, where, { ...sent, headers: { ...sent.headers, ...headers } });
      };
      denied.length = 0;
      const refused = await send('reader');
      expect([where, refused.text.includes('item 1')]).toEqual([where, false]);
      expect(refused.text).toMatch(/There is no stored result/);
      if (where !== '/mcp') expect([where, refused.status]).toEqual([where, 404]);
      expect(denied).toMatchObject([{ reason: 'forbidden', keyId: 'reader', tool: 'many' }]);
      for (const who of ['caller', 'lister']) expect([where, who, (await send(who)).text.includes('item 1')]).toEqual([where, who, true]);
    }
    for (const text of [JSON.stringify({ ref }), JSON.stringify(JSON.stringify({ ref })), `{ref: '${ref}'}`]) {
      const sent = as('reader', mcp(text));
      const { text: answer } = await served.send('POST', '/mcp', { ...sent, headers: { ...sent.headers, ...accept } });
      expect([answer.includes('item 1'), answer.includes('must be one JSON object')]).toEqual([false, true]);
    }
    const { json: read } = await served.send('POST', '/v1/tools/read_result', as('caller', { ref }));
    const call = `/v1/calls/${read.meta.invocationId}`;
    expect((await served.send('GET', call, as('lister'))).json.outcome.data.value.items[0]).toBe('item 0');
    expect((await served.send('GET', call, as('reader'))).status).toBe(404);
    const none = await served.send('POST', '/v1/tools/read_result', as('reader', { ref: 'result_none' }));
    expect((await served.send('GET', `/v1/calls/${none.json.meta.invocationId}`, as('reader'))).status).toBe(404);
    expect([none.status, none.json.error.message]).toEqual([404, expect.stringContaining('There is no stored result result_none')]);
    expect((await served.send('POST', '/v1/tools/read_result', as('reader', { ref: 7 }))).status).toBe(400);
  });

  test('a client that waits for a pending call gets 202 while it lasts, and the outcome once it is settled', async () => {
    const { status, json, headers } = await served.send('POST', '/v1/tools/end_as', as('caller', { how: 'pending' }));
    expect([status, headers['retry-after']]).toEqual([202, '3']);
    const path = `/v1/pending/${json.pending.handle}`;
    const still = await served.send('GET', `${path}?wait=0.01`, as('caller'));
    expect([still.status, still.json.status]).toEqual([202, 'pending']);
    const waiting = served.send('GET', `${path}?wait=5`, as('caller'));
    expect((await served.send('POST', path, as('caller', { data: { done: 1 } }))).status).toBe(403);
    expect((await served.send('POST', path, as('boss', { status: 'ok', data: undefined }))).status).toBe(400);
    const settled = await served.send('POST', path, as('boss', { data: { done: 1 } }));
    expect([settled.status, settled.json.data]).toEqual([200, { done: 1 }]);
    const told = await waiting;
    expect([200, 202]).toContain(told.status);
    expect((await served.send('GET', path, as('caller'))).json.data).toEqual({ done: 1 });
    expect((await served.send('POST', path, as('boss', { error: { kind: 'upstream', message: 'No.' } }))).json.data).toEqual({ done: 1 });
    expect((await served.send('GET', path, as('stranger'))).status).toBe(404);
    expect((await served.send('GET', path, as('adder'))).status).toBe(404);
    expect((await served.send('GET', `${path}?wait=x`, as('caller'))).status).toBe(400);
  });

  test('a call that needs an approval waits, is decided by who may, and then runs', async () => {
    const key = { headers: { 'x-api-key': 'caller', 'x-run-id': `run-${way}` }, body: {} };
    const { status, json } = await served.send('POST', '/v1/tools/erase', key);
    expect([status, json.pending.reason]).toEqual([202, 'approval']);
    const path = `/v1/approvals/${json.pending.handle}`;
    const listed = await served.send('GET', '/v1/approvals', as('boss'));
    expect(listed.json.approvals).toMatchObject([{ handle: json.pending.handle, tool: 'erase', state: 'waiting' }]);
    for (const [method, where, body] of [
      ['GET', '/v1/approvals', undefined],
      ['POST', path, { decision: 'approve' }],
    ] as const) {
      expect((await served.send(method, where, as('caller', body))).status).toBe(403);
    }
    const settled = await served.send('POST', `/v1/pending/${json.pending.handle}`, as('boss', { data: { erased: true } }));
    expect([settled.status, settled.json.error.kind]).toEqual([403, 'forbidden']);
    expect((await served.send('POST', path, as('boss', { decision: 'maybe' }))).status).toBe(400);
    const decided = await served.send('POST', path, as('boss', { decision: 'approve', reason: 'fine' }));
    expect([decided.status, decided.json.approval.by, decided.json.approval.state]).toEqual([200, 'boss', 'approved']);
    expect((await served.send('POST', path, as('boss', { decision: 'deny' }))).status).toBe(409);
    expect((await served.send('POST', '/v1/approvals/none', as('boss', { decision: 'deny' }))).status).toBe(404);
    expect((await served.send('POST', '/v1/tools/erase', key)).json.data).toEqual({ erased: true });
  });

  test('who decides is known from the credential alone, and may change the arguments', async () => {
    const call = { headers: { 'x-api-key': 'ann', 'x-run-id': `run-${way}` }, body: { amount: 80 } };
    const { json } = await served.send('POST', '/v1/tools/transfer', call);
    const path = `/v1/approvals/${json.pending.handle}`;
    const [asked] = (await served.send('GET', '/v1/approvals', as('boss'))).json.approvals;
    expect(asked).toMatchObject({ roles: ['finance'], fourEyes: true, onExpiry: 'deny' });
    expect(asked.expiresAt - asked.requestedAt).toBe(60_000);
    const decide = (who: string, body: object) => served.send('POST', path, as(who, { decision: 'approve', ...body }));
    expect((await decide('bob', { input: {} })).json.detail).toBe('These arguments cannot be approved: amount (a number) is required.');
    expect((await decide('boss', { by: 'bob', roles: ['finance'] })).json).toMatchObject({
      status: 403,
      detail: expect.stringContaining('Only finance may decide about transfer.'),
    });
    expect((await decide('ann', {})).status).toBe(403);
    expect(denied.at(-1)).toMatchObject({ reason: 'forbidden', subject: 'ann', path });
    expect((await decide('bob', { input: { amount: 5000 } })).json).toMatchObject({
      status: 400,
      detail: expect.stringContaining('amount'),
    });
    expect((await decide('bob', { input: 5 })).status).toBe(400);
    expect((await decide('bob', { input: { amount: 50 } })).json.approval).toMatchObject({
      by: 'bob',
      roles: ['finance'],
      fourEyes: true,
      changes: [{ path: ['amount'], before: 80, after: 50 }],
    });
    expect((await served.send('POST', '/v1/tools/transfer', call)).json).toMatchObject({
      data: { transferred: 50 },
      input: { amount: 50 },
    });
  });

  test('several calls that look alike are decided in one request, each by itself', async () => {
    const ask = (amount: number, run = `batch-${way}`) =>
      served.send('POST', '/v1/tools/transfer', { headers: { 'x-api-key': 'ann', 'x-run-id': run }, body: { amount } });
    const handles: string[] = [];
    for (const amount of [1, 2, 3]) handles.push((await ask(amount)).json.pending.handle);
    const other = (await ask(1, `other-${way}`)).json.pending.handle;
    const list = async (query: string) =>
      (await served.send('GET', `/v1/approvals?${query}`, as('bob'))).json.approvals.map(({ handle }: { handle: string }) => handle);
    expect(await list(`run=batch-${way}`)).toEqual(handles);
    expect(await list(`like=${handles[1]}`)).toEqual(handles);
    expect([await list(`run=batch-${way}&tool=erase`), await list('like=none')]).toEqual([[], []]);
    const decide = (who: string, body: object) => served.send('POST', '/v1/approvals', as(who, { decision: 'approve', ...body }));
    expect((await decide('caller', { handles })).status).toBe(403);
    expect([(await decide('bob', {})).status, (await decide('bob', { handles, grant: { for: 'run' } })).status]).toEqual([400, 400]);
    expect((await decide('boss', { handles: [handles[0]] })).json.decided).toMatchObject([{ ok: false, kind: 'forbidden' }]);
    expect((await decide('bob', { handles: [...handles, 'none', handles[0]] })).json.decided).toMatchObject([
      ...handles.map((handle) => ({ handle, ok: true, approval: { state: 'approved', by: 'bob' } })),
      { handle: 'none', ok: false, kind: 'not_found' },
    ]);
    expect((await ask(2)).json.data).toEqual({ transferred: 2 });
    expect(await list(`run=other-${way}`)).toEqual([other]);
  });

  test('a standing grant is given with an approval, listed, used and revoked, by those who may decide', async () => {
    const call = (headers = {}) => ({ headers: { 'x-api-key': 'caller', 'x-run-id': `granted-${way}`, ...headers }, body: {} });
    const { json } = await served.send('POST', '/v1/tools/erase', call());
    const path = `/v1/approvals/${json.pending.handle}`;
    const give = (grant: unknown) => served.send('POST', path, as('boss', { decision: 'approve', grant }));
    expect((await give({ for: 'ever' })).json.detail).toContain("grant: a grant is for 'run', 'session' or 'user'");
    expect((await give(5)).status).toBe(400);
    const given = await give({ for: 'run', uses: 2 });
    const { id } = given.json.grant;
    expect(given.json).toMatchObject({
      approval: { grant: id },
      grant: { words: expect.stringContaining(`erase without arguments, in the run granted-${way}`), by: 'boss', mostUses: 2 },
    });
    for (let times = 0; times < 2; times += 1) expect((await served.send('POST', '/v1/tools/erase', call())).status).toBe(200);
    expect((await served.send('POST', '/v1/tools/erase', call({ 'x-run-id': 'other' }))).status).toBe(202);
    const list = async (query = '', who = 'boss') => served.send('GET', `/v1/grants${query}`, as(who));
    expect((await list('?tool=erase')).json).toMatchObject({ grants: [{ id, uses: 1, state: 'active' }] });
    expect([(await list('', 'caller')).status, (await list('?limit=0')).status]).toEqual([403, 400]);
    expect((await served.send('DELETE', `/v1/grants/${id}`, as('caller'))).status).toBe(403);
    expect((await served.send('DELETE', `/v1/grants/${id}`, as('boss'))).json.grant).toMatchObject({ state: 'revoked', revokedBy: 'boss' });
    expect((await served.send('DELETE', '/v1/grants/none', as('boss'))).status).toBe(404);
    expect((await served.send('POST', '/v1/tools/erase', call())).status).toBe(202);
    expect([(await list('?tool=erase')).json.grants, (await list('?tool=erase&all=true')).json.grants.length]).toEqual([[], 1]);
  });

  test.each([
    ['GET', '/v1/calls/x'],
    ['GET', '/v1/results/x'],
    ['GET', '/v1/pending/x'],
    ['POST', '/v1/pending/x'],
    ['GET', '/v1/approvals'],
    ['POST', '/v1/approvals/x'],
    ['GET', '/v1/grants'],
    ['DELETE', '/v1/grants/x'],
  ])('%s %s is not offered by a toolbox without the guard for it', async (method, path) => {
    const { status, headers, json } = await plain.send(method, path, method === 'POST' ? { body: {} } : {});
    expect([status, headers['content-type'], json.type]).toEqual([501, 'application/problem+json', expect.stringMatching(/#unsupported$/)]);
  });
});

test('approvals come page by page, a page is bounded in size, and a tenant may have so many waiting', async () => {
  const store = memoryStore();
  const wide = defineTool({
    name: 'wide',
    description: 'Takes text.',
    input: z.object({ text: z.string() }),
    approval: true,
    run: () => 1,
  });
  const served = await serve('fetch handler', createToolbox([wide], { report: () => {}, store, calls: { maxWaiting: 12 } }), {
    auth,
  });
  const ask = (run: number, size: number) =>
    served.send('POST', '/v1/tools/wide', {
      headers: { 'x-api-key': 'caller', 'x-run-id': `run-${run}` },
      body: { text: 'x'.repeat(size) },
    });
  for (let run = 0; run < 12; run += 1) expect((await ask(run, run < 6 ? 400_000 : 1)).status).toBe(202);
  const refused = await ask(12, 1);
  expect([refused.status, refused.json.error.kind]).toEqual([429, 'rate_limited']);
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let after = ''; ; ) {
    const { json, text } = await served.send('GET', `/v1/approvals?limit=5${after}`, as('boss'));
    seen.push(...json.approvals.map(({ handle }: { handle: string }) => handle));
    sizes.push(text.length);
    expect(json.approvals.length).toBeLessThanOrEqual(5);
    if (json.next === undefined) break;
    after = `&after=${json.next}`;
  }
  expect([new Set(seen).size, seen.length, Math.max(...sizes) < 1_100_000]).toEqual([12, 12, true]);
  const astray = await served.send('GET', '/v1/approvals?after=garbage', as('boss'));
  expect([astray.status, astray.json.detail]).toEqual([
    400,
    'after must be the `next` of an earlier page. Leave it out to begin with the first page.',
  ]);
  const [first] = seen;
  await served.send('POST', `/v1/approvals/${first}`, as('boss', { decision: 'deny' }));
  expect((await ask(12, 1)).status).toBe(202);
  await served.close();
});

test.each(['GET /v1/results/', 'POST /v1/tools/read_result'])(
  'while the store does not tell who made a result, it is read by those alone who may call every tool (%s)',
  async (way) => {
    const store = memoryStore();
    let isDown = false;
    const failing = {
      ...store,
      get: (at: Parameters<typeof store.get>[0]) => (isDown ? Promise.reject(new Error('down')) : store.get(at)),
    };
    const toolbox = createToolbox([many, resultReader({ store })], { report: () => {}, use: [spill({ store: failing })] });
    const served = await serve('fetch handler', toolbox, { auth });
    const { resultRef: ref } = (await served.send('POST', '/v1/tools/many', as('lister', {}))).json.meta;
    isDown = true;
    const [method = '', path = ''] = way.split(' ');
    const send = (who: string) =>
      served.send(method, method === 'GET' ? path + ref : path, as(who, method === 'GET' ? undefined : { ref }));
    const { status, json, text } = await send('lister');
    expect([status, json.error?.kind ?? json._toolpact.error.kind, text.includes('item 1')]).toEqual([503, 'not_ready', false]);
    if (method === 'POST') expect((await send('caller')).text).toContain('item 1');
    await served.close();
  },
);
