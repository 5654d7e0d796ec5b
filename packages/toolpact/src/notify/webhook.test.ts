import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Notice } from '../ports/index.ts';
import { readWebhook, webhook } from './index.ts';
import { readSecrets, sign } from './signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const notice = {
  id: 'notice_1',
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'approval.requested',
  data: { v: 1, handle: 'h', tool: 'pay', input: { to: 'A-1' }, question: 'Pay?', invocationId: 'call/1' },
} as unknown as Notice;
const never = new AbortController().signal;

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a receiver that keeps what it was sent. */
async function startReceiver(status = 204, headers: Record<string, string> = {}) {
  const got: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, headers).end();
  };
  return { url: await start((request, response) => void answer(request, response)), got };
}

const toRequest = (headers: Record<string, string>, body: string) => new Request('http://x', { method: 'POST', headers, body });

describe('a signature', () => {
  test('is that of the example of Standard Webhooks', async () => {
    const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' };
    expect(await sign(readSecrets('webhook', secret), parts)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test.each([
    ['no secret', undefined],
    ['one without its mark', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['one that is too short', 'whsec_MfKQ9r8G'],
    ['one that is no base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'],
    ['none in a list', []],
    ['a bad one in a list', [secret, 'whsec_']],
  ])('is refused with %s, and the error says how to make one', (_, wrong) => {
    expect(() => webhook({ url: 'https://example.com', secret: wrong as string })).toThrow(/^webhook: secret must be .*openssl rand/);
  });
});

describe('a webhook', () => {
  test('posts a notice that its receiver reads again', async () => {
    const { url, got } = await startReceiver();
    await webhook({ url, secret, page: 'https://tools.example.com/inspector' }).send(notice, never);
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'notice_1' });
    expect(JSON.parse(body)).toEqual({
      timestamp: notice.timestamp,
      type: notice.type,
      data: { ...notice.data, link: 'https://tools.example.com/inspector/#/calls/call%2F1' },
    });
    const request = toRequest(headers as Record<string, string>, body);
    expect(await readWebhook(request, { secret })).toMatchObject({ id: 'notice_1', type: 'approval.requested', data: { handle: 'h' } });
  });

  test('signs with both secrets while they change', async () => {
    const { url, got } = await startReceiver();
    await webhook({ url, secret: [other, secret] }).send(notice, never);
    const { headers, body } = got[0] as (typeof got)[number];
    const read = (own: string | string[]) => readWebhook(toRequest(headers as Record<string, string>, body), { secret: own });
    expect([await read(secret), await read(other), await read([`${secret.slice(0, -4)}AAAA`, other])]).toMatchObject([
      { id: 'notice_1' },
      { id: 'notice_1' },
      { id: 'notice_1' },
    ]);
    expect(await read(`${secret.slice(0, -4)}AAAA`)).toBeUndefined();
  });

  test.each<[string, Record<string, string>, string]>([
    ['another id', { 'webhook-id': 'notice_2' }, ''],
    ['another time', { 'webhook-timestamp': '1' }, ''],
    ['no signature', { 'webhook-signature': '' }, ''],
    ['a signature of another kind', { 'webhook-signature': 'v1a,AAAA' }, ''],
    ['a signature that is no base64', { 'webhook-signature': 'v1,!' }, ''],
    ['another body', {}, ' '],
  ])('is not believed with %s', async (_, changed, added) => {
    const { url, got } = await startReceiver();
    await webhook({ url, secret }).send(notice, never);
    const { headers, body } = got[0] as (typeof got)[number];
    const request = toRequest({ ...(headers as Record<string, string>), ...changed }, body + added);
    expect(await readWebhook(request, { secret })).toBeUndefined();
  });

  test('is not believed five minutes later', async () => {
    const { url, got } = await startReceiver();
    await webhook({ url, secret }).send(notice, never);
    const { headers, body } = got[0] as (typeof got)[number];
    vi.useFakeTimers({ now: Date.now() + 302_000, toFake: ['Date'] });
    expect(await readWebhook(toRequest(headers as Record<string, string>, body), { secret })).toBeUndefined();
  });

  test.each([
    [500, {}, { message: /answered 500$/ }],
    [404, {}, { message: /answered 404$/ }],
    [410, {}, { name: 'ToolFailure', kind: 'not_found' }],
    [429, { 'retry-after': '7' }, { name: 'ToolFailure', kind: 'rate_limited', options: { retryAfterMs: 7000 } }],
    [503, { 'retry-after': 'tomorrow' }, { message: /answered 503$/ }],
  ])('fails where its receiver answers %i with %j', async (status, headers, wanted) => {
    const { url } = await startReceiver(status, headers);
    const thrown = await webhook({ url, secret })
      .send(notice, never)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject('message' in wanted ? { message: expect.stringMatching(wanted.message) } : wanted);
  });

  test('follows no redirect: its receiver cannot send it to an internal address', async () => {
    const internal = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await startReceiver(status, { location: internal.url });
      await expect(webhook({ url, secret }).send(notice, never)).rejects.toThrow(/redirects \(\d+\), which is not followed/);
    }
    expect(internal.got).toEqual([]);
  });

  test('does not read what its receiver answers, however long that is', async () => {
    let written = 0;
    const url = await start((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        response.write('x'.repeat(65_536), () => setImmediate(more));
      };
      more();
    });
    await webhook({ url, secret }).send(notice, never);
    expect(written).toBeLessThan(50_000_000);
  });

  test('stops asking a receiver that does not answer when it is told to', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await start(() => asked.resolve());
    const stop = new AbortController();
    const sent = webhook({ url, secret }).send(notice, stop.signal);
    await asked.promise;
    stop.abort();
    await expect(sent).rejects.toThrow(/cannot be reached/);
  });

  test('says of a receiver that is gone where that was, without a token in its address', async () => {
    const { url } = await startReceiver();
    for (const server of servers.splice(0)) server.close();
    const thrown = await webhook({ url: `${url}/hooks/T0K3N`, secret })
      .send(notice, never)
      .catch((error: unknown) => error);
    expect((thrown as Error).message).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/);
  });

  test('is named after its host, or as it says', () => {
    expect(webhook({ url: 'https://hooks.example.com:8443/a?token=1', secret }).name).toBe('hooks.example.com:8443');
    expect(webhook({ url: 'https://hooks.example.com', secret, name: 'slack' }).name).toBe('slack');
  });

  test.each([
    [{ url: 'ftp://example.com', secret }, /url must be a web address/],
    [{ url: 'example.com', secret }, /url must be a web address/],
    [{ url: 'https://ann:pw@example.com', secret }, /url must be a web address/],
    [{ url: 'https://example.com', secret, page: '/inspector' }, /page must be a web address/],
    [{ url: 'https://example.com', secret, name: '' }, /name must be a name/],
    [{ url: 'https://example.com', secret, adress: '' }, /the option "adress" does not exist/],
    [{ uri: 'https://example.com', secret }, /"uri" does not exist. Did you mean "url"\?/],
  ])('refuses %j', (options, message) => {
    expect(() => webhook(options as never)).toThrow(message);
  });
});
