import { createToolbox, defineTool, fail } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeys, hashApiKey } from '../auth/api-keys.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';
import { createOperatorToolbox } from './operator-toolbox.ts';

const tenantId = '11111111-1111-4111-8111-111111111111';
const keys = { agent: 'a-key-of-an-agent-with-enough-characters', few: 'a-key-of-a-few-tools-with-enough-characters' };
const auth = apiKeys([
  { keyId: 'agent', hash: hashApiKey(keys.agent), tenantId, scopes: ['tools:call:*', 'approvals:decide'] },
  { keyId: 'few', hash: hashApiKey(keys.few), tenantId, scopes: ['tools:call:add'] },
]);

function setUp(options: ServerOptions = {}) {
  let balance = 100;
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    effects: 'none',
    input: z.object({ a: z.number(), b: z.number() }),
    run({ a, b }) {
      if (a < 0) throw new TypeError('sums is not iterable');
      return a + b;
    },
  });
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    effects: 'writes',
    input: z.object({ amount: z.number() }),
    run({ amount }) {
      if (amount > balance) throw fail('conflict', `Only ${balance} are left.`);
      if (amount === 13) throw fail('upstream', 'The bank hung up.');
      balance -= amount;
      return { balance };
    },
  });
  const login = defineTool({
    name: 'login',
    description: 'Logs in.',
    effects: 'none',
    input: z.object({ password: z.string() }),
    run: () => 'in',
  });
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds.',
    input: z.object({ order: z.string() }),
    approval: ({ order }) => `Refund ${order}?`,
    run: () => 'refunded',
  });
  const forbid = defineTool({ name: 'forbid', description: 'Is never allowed.', run: () => fail('denied', 'Not on Sundays.') });
  const toolbox = createToolbox([add, pay, login, refund, forbid], { store: memoryStore(), report: () => undefined });
  const server = createServer(toolbox, { operator: true, auditLog: false, ...options });
  /** Calls a tool of the operator over MCP. */
  const operate = async (name: string, args: object = {}, key?: string) => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const response = await server.fetch(
      new Request('http://127.0.0.1/operator/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } }),
      }),
    );
    const { result } = (await response.json()) as { result?: { isError?: boolean; content: { text: string }[] } };
    return result === undefined ? { status: response.status } : { isError: result.isError === true, text: result.content[0]?.text ?? '' };
  };
  const call = async (name: string, args: object) =>
    (await toolbox.answer({ name, args }, options.auth === undefined ? {} : { tenantId })).meta.invocationId ?? '';
  return { operate, call, server, toolbox };
}

const as = keys.agent;

describe('the operator endpoint', () => {
  test('is not there unless it is asked for', async () => {
    const { operate } = setUp({ operator: false });
    expect(await operate('health')).toEqual({ status: 404 });
  });

  test('refuses callers without a credential, as every route does', async () => {
    expect(await setUp({ auth }).operate('health')).toEqual({ status: 401 });
  });

  test('lists calls, and explains one with its cause', async () => {
    const { operate, call } = setUp({ inspector: { causes: true } });
    const id = await call('add', { a: -1, b: 2 });
    await call('add', { a: 1, b: 2 });
    const listed = await operate('list_calls', { tool: 'add' });
    expect(listed.text?.split('\n')).toHaveLength(2);
    expect(listed.text).toContain(`${id}  `);
    expect((await operate('list_calls', { status: 'error' })).text).toMatch(/add {2}internal, effect none/);
    expect((await operate('why', { id })).text).toMatch(
      /^add \(.*\): internal, effect none .*\nbegun .*\narguments: \{"a":-1,"b":2\}\nmessage: .*[\s\S]*cause: TypeError: sums is not iterable\n {4}at .*operator\.test\.ts/m,
    );
  });

  test('shows no cause where the server shows none', async () => {
    const { operate, call } = setUp();
    const text = (await operate('why', { id: await call('add', { a: -1, b: 2 }) })).text;
    expect([text?.includes('the model read:'), text?.includes('cause:')]).toEqual([true, false]);
  });

  test('says which call is not there', async () => {
    expect(await setUp().operate('why', { id: 'nothing' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[error: not_found\]/),
    });
  });

  test('shows a caller no more than its scopes do', async () => {
    const { operate, call } = setUp({ auth });
    const id = await call('pay', { amount: 1 });
    expect((await operate('why', { id }, as)).text).toMatch(/^pay /);
    expect(await operate('why', { id }, keys.few)).toMatchObject({ isError: true, text: expect.stringMatching(/^\[error: not_found\]/) });
    expect((await operate('list_calls', {}, keys.few)).text).toBe('No calls.');
    expect(await operate('list_approvals', {}, keys.few)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[error: forbidden\]/),
    });
  });

  test('shows readings, a test, and what differs between two calls', async () => {
    const { operate, call } = setUp();
    const [a, b] = [await call('pay', { amount: 1 }), await call('pay', { amount: 500 })];
    expect((await operate('readings', { id: b, form: 'plain' })).text).toMatch(/^## plain\n\[error: conflict\] Only 99 are left\./);
    expect((await operate('keep_as_test', { id: b })).text).toContain("import { replay } from '@toolpact/testing';");
    expect((await operate('diff_calls', { a, b })).text?.split('\n')).toEqual([
      'arguments.amount: 1 | 500',
      'ended: "ok" | "conflict, effect none"',
      'result: {"balance":99} | absent',
      'message: absent | "Only 99 are left."',
    ]);
    expect((await operate('diff_calls', { a, b: a })).text).toBe('The calls are equal.');
  });

  test('breaks and checks tools on the server of a developer only', async () => {
    const { operate } = setUp();
    expect(await operate('break_tool')).toMatchObject({ isError: true, text: expect.stringContaining('toolpact dev') });
    expect(await operate('check_tools')).toMatchObject({ isError: true, text: expect.stringContaining('toolpact dev') });
  });

  test('tells health', async () => {
    const { operate, call } = setUp();
    await call('pay', { amount: 500 });
    expect((await operate('health')).text).toBe('running: 0\npay: 1 error');
  });
});

describe('rerun_safe', () => {
  test.each([
    ['a reading call', 'add', { a: 1, b: 2 }, /^call \S+\n3$/],
    ['a writing call that changed nothing', 'pay', { amount: 500 }, /^call \S+\n\[error: conflict\] Only 100 are left\./],
    [
      'a writing call that succeeded',
      'pay',
      { amount: 1 },
      /^\[error: conflict\] pay writes, and this call succeeded: it would happen twice\./,
    ],
    [
      'a writing call whose effect is unknown',
      'pay',
      { amount: 13 },
      /^\[error: conflict\] pay writes, and the effect of this call is unknown/,
    ],
    [
      'a call with hidden arguments',
      'login',
      { password: 'hunter2-hunter2' },
      /^\[error: conflict\] The stored arguments are not those of the call/,
    ],
    ['a call that was denied', 'forbid', {}, /^\[error: conflict\] Denied\. Running it again would ask the same person again\./],
    ['a call that waits', 'refund', { order: 'O-1' }, /^\[error: conflict\] The call has not ended: it is pending\./],
  ])('%s', async (_, name, args, text) => {
    const { operate, call } = setUp();
    expect((await operate('rerun_safe', { id: await call(name, args) })).text).toMatch(text);
  });

  test('makes no call that its caller may not make', async () => {
    const { operate, call } = setUp({ auth });
    const id = await call('pay', { amount: 500 });
    expect(await operate('rerun_safe', { id }, keys.few)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[error: not_found\]/),
    });
  });
});

describe('approvals', () => {
  test('are listed, and decided only where that is switched on', async () => {
    const { operate, call } = setUp({ auth });
    await call('refund', { order: 'O-1' });
    const listed = await operate('list_approvals', {}, as);
    expect(listed.text).toMatch(/ refund {2}Refund O-1\? {2}\{"order":"O-1"\}$/);
    expect(await operate('decide_approval', { handle: 'x', decision: 'approve' }, as)).not.toMatchObject({ isError: false });
  });

  test('are decided in the name of the credential', async () => {
    const { operate, call, toolbox } = setUp({ auth, operator: { decide: true } });
    await call('refund', { order: 'O-1' });
    const handle = (await operate('list_approvals', {}, as)).text?.split(' ')[0] ?? '';
    expect((await operate('decide_approval', { handle, decision: 'deny', reason: 'too much' }, as)).text).toBe('The call is denied.');
    expect(await toolbox.with({ tenantId }).approvals.get(handle)).toMatchObject({ state: 'denied', by: 'agent', reason: 'too much' });
  });
});

test('the same tools reach a server at an address', async () => {
  const { server, call } = setUp({ auth });
  const id = await call('pay', { amount: 500 });
  const operator = createOperatorToolbox('http://127.0.0.1:8787/', {
    headers: { authorization: `Bearer ${as}` },
    fetch: (...words) => server.fetch(new Request(...words)),
  });
  const outcome = await operator.answer({ name: 'why', args: { id } });
  expect(outcome.status === 'ok' && outcome.data).toMatch(/^pay \(.*\): conflict, effect none/);
});
