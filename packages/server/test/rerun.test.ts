import { createToolbox, defineTool, fail } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '../src/client/index.ts';
import type { Authenticate, Identity } from '../src/index.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const people: Readonly<Record<string, Identity>> = {
  caller: { tenantId: 'acme', subject: 'ann' },
  other: { tenantId: 'acme', subject: 'bob' },
  adder: { tenantId: 'acme', scopes: ['tools:call:add'] },
  stranger: { tenantId: 'globex' },
};
const auth: Authenticate = ({ headers }) => people[headers.get('x-api-key') ?? ''];
const as = (who: string, body: unknown = {}) => ({ headers: { 'x-api-key': who }, body });

const done: string[] = [];
const users: unknown[] = [];
let isBroken = true;
const order = defineTool({
  name: 'order',
  description: 'Orders.',
  input: z.object({ id: z.string() }),
  steps: true,
  async run({ id }, { step, userId }) {
    users.push(userId);
    await step('charge', () => done.push('charge'));
    await step('ship', () => {
      if (isBroken) throw fail('upstream', 'The post is closed.', { effect: 'none' });
      return done.push('ship');
    });
    return { id };
  },
});

function makeToolbox() {
  const store = memoryStore();
  return createToolbox([order], { report: () => undefined, store });
}

describe.each(ways)('a call is run again from a step, through the %s', (way) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(way, makeToolbox(), { auth });
  });
  afterAll(() => served.close());

  async function fails(): Promise<string> {
    isBroken = true;
    const { json } = await served.send('POST', '/v1/tools/order', as('caller', { id: 'o1' }));
    isBroken = false;
    [done.length, users.length] = [0, 0];
    return (json as { readonly meta: { readonly invocationId: string } }).meta.invocationId;
  }
  const rerun = (id: string, who: string, body?: unknown) => served.send('POST', `/v1/calls/${id}/rerun`, as(who, body));

  test('with the outcome of the new call as the answer, in any dialect', async () => {
    const id = await fails();
    const answer = await rerun(id, 'other', { from: 'ship' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'ok', data: { id: 'o1' } } });
    expect([done, users]).toEqual([['ship'], ['bob']]);
    const { invocationId } = (answer.json as { readonly meta: { readonly invocationId: string } }).meta;
    const found = await served.send('GET', `/v1/calls/${invocationId}`, { headers: { 'x-api-key': 'caller' } });
    expect(found.json).toMatchObject({ rerunOf: id, rerunFrom: 'ship', status: 'ok' });
    const problem = await served.send('POST', `/v1/calls/${id}/rerun?dialect=problem`, as('caller'));
    expect(problem).toMatchObject({ status: 409, json: { status: 409, detail: expect.stringContaining('has succeeded') } });
  });

  test.each<[string, string, unknown, number, RegExp]>([
    ['a call of another tenant', 'stranger', {}, 404, /There is no such call/],
    ['a tool that the credential may not call', 'adder', {}, 404, /There is no such call/],
    ['an unknown step', 'caller', { from: 'shop' }, 400, /no step \\"shop\\". Its steps are \\"charge\\", \\"ship\\"/],
    ['a step that has taken effect', 'caller', { from: 'charge' }, 503, /took effect in an earlier run/],
    ['a body that says something else', 'caller', { form: 'ship' }, 400, /the name of a step/],
    ['a body that is no object', 'caller', ['ship'], 400, /the name of a step/],
    ['a step without a name', 'caller', { from: '' }, 400, /the name of a step/],
  ])('%s is refused, and nothing runs', async (_, who, body, status, text) => {
    const id = await fails();
    const answer = await rerun(id, who, body);
    expect([answer.status, done]).toEqual([status, []]);
    expect(JSON.stringify(answer.json)).toMatch(text);
  });

  test('the inspector may offer it', async () => {
    const { json } = await served.send('GET', '/v1/inspector', { headers: { 'x-api-key': 'caller' } });
    expect(json).toMatchObject({ store: true });
  });
});

test('a client runs a call again, and its own run is not that of the call', async () => {
  const served = await serve('listener', makeToolbox(), {});
  try {
    isBroken = true;
    const client = createClient(served.url, { runId: 'run-1' });
    const first = await client.call('order', { id: 'o1' });
    isBroken = false;
    done.length = 0;
    const again = await createClient(served.url, { runId: 'run-2' }).rerun(first.meta.invocationId ?? '', { from: 'ship' });
    expect(again).toMatchObject({ status: 'ok', meta: { runId: 'run-1' } });
    expect(done).toEqual(['ship']);
    expect(await client.rerun('nope')).toMatchObject({ status: 'error', error: { kind: 'not_found' } });
  } finally {
    await served.close();
  }
});

test('a server whose toolbox has no store says so', async () => {
  const served = await serve('fetch handler', createToolbox([order], { report: () => undefined }), {});
  expect(await served.send('POST', '/v1/calls/x/rerun', { body: {} })).toMatchObject({
    status: 501,
    json: { detail: 'This server does not do that: its toolbox has no store.' },
  });
  await served.close();
});
