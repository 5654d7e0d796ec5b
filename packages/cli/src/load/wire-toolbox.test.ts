import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Outcome } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { type ReadWebhook, readWebhook } from 'toolpact/notify';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { readSettings } from '../settings/read-settings.ts';
import type { SettingName } from '../settings/settings.ts';
import { wireToolbox } from './wire-toolbox.ts';

const settingsOf = (...flags: readonly (readonly [SettingName, string | boolean])[]) => readSettings({ flags: new Map(flags), env: {} });
const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: () => 'hello' });

test('tools get the guards, and the tool that reads large results', async () => {
  const seen: Outcome[] = [];
  const toolbox = wireToolbox({ tools: [hello] }, settingsOf(), memoryStore(), {
    onEvent: (event) => event.type === 'call-end' && seen.push(event.outcome),
  });
  expect(toolbox.tools.map(({ name }) => name)).toEqual(['hello', 'read_result']);
  const outcome = await toolbox.answer({ name: 'hello' });
  expect(seen).toEqual([outcome]);
  expect(Object.keys(toolbox)).toEqual(expect.arrayContaining(['calls', 'approvals', 'readResult']));
  expect(await toolbox.calls?.get(outcome.meta.invocationId ?? '')).toMatchObject({ outcome: { status: 'ok', data: 'hello' } });
});

test('a guard that is switched off is not there', () => {
  const toolbox = wireToolbox({ tools: [hello] }, settingsOf(['spill', false]), memoryStore());
  expect(toolbox.tools.map(({ name }) => name)).toEqual(['hello']);
  expect(toolbox.readResult).toBeUndefined();
});

test('calls that nothing is promised about are not listed where the setting says so', async () => {
  const toolbox = wireToolbox({ tools: [hello] }, settingsOf(['listCalls', false]), memoryStore());
  await toolbox.answer({ name: 'hello' });
  expect(await toolbox.calls?.list()).toEqual({ calls: [] });
});

test('tools that say nothing are retried as the settings say', async () => {
  let runs = 0;
  const busy = defineTool({
    name: 'busy',
    description: 'Is busy.',
    effects: 'none',
    run: () => {
      runs += 1;
      throw Object.assign(new Error('busy'), { status: 503, headers: { 'retry-after': '0' } });
    },
  });
  await wireToolbox({ tools: [busy] }, settingsOf(['retryAttempts', '2']), memoryStore()).answer({ name: 'busy' });
  expect(runs).toBe(2);
});

const long = defineTool({ name: 'long', description: 'Says much.', effects: 'none', run: () => 'x'.repeat(1_000_000) });

test.each(['flat', 'coded', 'value', 'status'])('asked to speak %s, a result is whole and no tool is added', async (dialect) => {
  const toolbox = wireToolbox({ tools: [long] }, settingsOf(['dialect', dialect]), memoryStore());
  expect(toolbox.tools.map(({ name }) => name)).toEqual(['long']);
  expect(await toolbox.answer({ name: 'long' })).toMatchObject({ status: 'ok', data: 'x'.repeat(1_000_000) });
});

test('asked to speak a dialect, what the user sets holds', async () => {
  const settings = settingsOf(['dialect', 'coded'], ['maxResultChars', '1000'], ['spill', true]);
  const toolbox = wireToolbox({ tools: [long] }, settings, memoryStore());
  expect(toolbox.tools.map(({ name }) => name)).toEqual(['long', 'read_result']);
  expect(await toolbox.answer({ name: 'long' })).toMatchObject({ status: 'ok', meta: { truncated: true } });
});

test('asked to speak a dialect, a call is not refused because it repeats another one', async () => {
  const fails = defineTool({ name: 'fails', description: 'Fails.', effects: 'none', run: () => Promise.reject(new Error('no')) });
  const toolbox = wireToolbox({ tools: [fails] }, settingsOf(['dialect', 'coded']), memoryStore());
  const messages: unknown[] = [];
  for (let n = 0; n < 12; n += 1) {
    const outcome = await toolbox.answer({ name: 'fails' }, { conversationId: 'c' });
    messages.push(outcome.status === 'error' && outcome.error.message);
  }
  expect(new Set(messages)).toEqual(new Set(['no']));
});

test('a limit that is set holds', async () => {
  const toolbox = wireToolbox({ tools: [hello] }, settingsOf(['rateLimit', '1']), memoryStore());
  const kinds = [await toolbox.answer({ name: 'hello' }), await toolbox.answer({ name: 'hello' })].map((outcome) =>
    outcome.status === 'error' ? outcome.error.kind : outcome.status,
  );
  expect(kinds).toEqual(['ok', 'rate_limited']);
});

test.each([['two tools have one name', [hello, { ...hello }], [], 'Could not create the toolbox: two tools are named "hello".']])(
  '%s: that is said',
  (_, tools, flags, message) => {
    expect(() => wireToolbox({ tools }, settingsOf(...flags), memoryStore())).toThrow(expect.objectContaining({ message }));
  },
);

test("a toolbox of the user's own is served as it is, and watched", async () => {
  const seen: Outcome[] = [];
  const toolbox = wireToolbox({ toolbox: createToolbox([hello]) }, settingsOf(), memoryStore(), {
    onEvent: (event) => event.type === 'call-end' && seen.push(event.outcome),
  });
  expect(toolbox.tools).toEqual([hello]);
  const answers = [await toolbox.answer({ name: 'hello' }), await toolbox.with({ tenantId: 'acme' }).answer({ name: 'hello' })];
  const [item] = await toolbox.batch([{ id: 'a', tool: 'hello' }]);
  const called = await toolbox.with({ tenantId: 'acme' }).call('hello' as never, {} as never);
  expect(seen).toEqual([...answers, item?.outcome, called]);
  expect(seen.map(({ meta }) => meta.tenantId)).toEqual([undefined, 'acme', undefined, 'acme']);
});

test.each([
  [['rateLimit', '5'] as const, '--rate-limit'],
  [['store', 'memory'] as const, '--store'],
  [['timeoutMs', '5'] as const, '--timeout-ms'],
])('what could change nothing about such a toolbox is refused: %j', (flag, written) => {
  expect(() => wireToolbox({ toolbox: createToolbox([hello]) }, settingsOf(flag), memoryStore())).toThrow(
    expect.objectContaining({ message: `${written} cannot be used: your file exports a toolbox with its own guards and store.` }),
  );
});

test('a developer sees the calls of a toolbox that has no store; elsewhere it stays as it is', async () => {
  const heard: string[] = [];
  const own = createToolbox([hello]);
  own.subscribe(({ type }) => heard.push(type));
  const toolbox = wireToolbox({ toolbox: own }, settingsOf(['store', 'memory']), memoryStore(), {}, { isDev: true });
  await toolbox.with({ tenantId: 'acme' }).answer({ name: 'hello' });
  expect(await toolbox.with({ tenantId: 'acme' }).calls?.list()).toMatchObject({
    calls: [{ tool: 'hello', status: 'ok', tenantId: 'acme' }],
  });
  expect(heard).toContain('call-end');
  const served = wireToolbox({ toolbox: own }, settingsOf(), memoryStore());
  expect(served.calls).toBeUndefined();
});

test('a store of its own is kept, and the settings of another one are refused', () => {
  const own = createToolbox([hello], { store: memoryStore() });
  expect(wireToolbox({ toolbox: own }, settingsOf(), memoryStore(), {}, { isDev: true })).toBe(own);
  expect(() => wireToolbox({ toolbox: own }, settingsOf(['listCalls', false]), memoryStore(), {}, { isDev: true })).toThrow(
    '--list-calls cannot be used',
  );
});

const secret = `whsec_${'A'.repeat(43)}=`;
const withWebhooks = (webhooks: string, env: Record<string, string> = { TOOLPACT_WEBHOOK_SECRET: secret }) =>
  readSettings({ flags: new Map([['webhooks', webhooks]]), env });

test('webhooks are told of questions, signed, with a link to the page', async () => {
  const told = Promise.withResolvers<ReadWebhook | undefined>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = request.headers as Record<string, string>;
    told.resolve(await readWebhook(new Request('http://receiver', { method: 'POST', headers, body: await text(request) }), { secret }));
    response.end();
  };
  const receiver = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const wipe = defineTool({ name: 'wipe', description: 'Wipes.', approval: true, run: () => 'gone' });
  const env = { TOOLPACT_WEBHOOK_SECRET: secret, TOOLPACT_WEBHOOK_PAGE: 'https://tools.example.com/inspector' };
  await wireToolbox({ tools: [wipe] }, withWebhooks(`http://127.0.0.1:${port}/a`, env), memoryStore()).answer({ name: 'wipe' });
  const { type, data } = (await told.promise) ?? {};
  expect([type, data?.tool, data?.link?.split('#')[0]]).toEqual(['approval.requested', 'wipe', 'https://tools.example.com/inspector/']);
  receiver.closeAllConnections();
  receiver.close();
});

test.each([
  ['without a secret', 'https://a.example', {}, 'webhooks need a secret'],
  [
    'with a secret that is none',
    'https://a.example',
    { TOOLPACT_WEBHOOK_SECRET: 'hunter2' },
    'The webhooks cannot work: webhook: secret must be',
  ],
  ['with an address that is none', 'a.example', undefined, 'The webhooks cannot work: webhook: url must be a web address'],
])('webhooks %s are refused', (_, webhooks, env, message) => {
  expect(() => wireToolbox({ tools: [hello] }, withWebhooks(webhooks, env), memoryStore())).toThrow(message);
});

test('two webhooks of one host have names of their own', () => {
  expect(() => wireToolbox({ tools: [hello] }, withWebhooks('https://a.example/1,https://a.example/2'), memoryStore())).not.toThrow();
});

test('the secret of webhooks is refused as a flag, without being repeated', () => {
  expect(() => settingsOf(['webhookSecret', secret])).toThrow(/^(?!.*whsec_A).*cannot be a flag/);
});
