import { get, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createSafeFetch } from '@toolpact/openapi';
import { classify } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { startLoopback } from '../../../../proofs/fixtures/start-loopback.ts';
import type { HostAddress } from './pinned-request.ts';

const v4 = (address: string): HostAddress => ({ address, family: 4 });
const v6 = (address: string): HostAddress => ({ address, family: 6 });

/** Addresses of host names on the hostile internet of these tests. */
const names: Readonly<Record<string, readonly HostAddress[]>> = {
  '127.0.0.1.nip.test': [v4('127.0.0.1')],
  'localtest.test': [v4('127.0.0.1')],
  'six.test': [v6('::1')],
  'mapped.test': [v6('::ffff:127.0.0.1')],
  'mapped-hex.test': [v6('::ffff:7f00:1')],
  'compatible.test': [v6('::127.0.0.1')],
  'nat64.test': [v6('64:ff9b::7f00:1')],
  'local-nat64.test': [v6('64:ff9b:1::7f00:1')],
  'six-to-four.test': [v6('2002:7f00:1::')],
  'teredo.test': [v6('2001:0:7f00:1::')],
  'translated.test': [v6('::ffff:0:127.0.0.1')],
  'mixed.test': [v4('93.184.215.14'), v4('127.0.0.1')],
  'mixed-six.test': [v4('93.184.215.14'), v6('fe80::1')],
  'intranet.test': [v4('10.1.2.3')],
  'metadata.test': [v4('169.254.169.254')],
  'carrier.test': [v4('100.64.0.1')],
  'unique-local.test': [v6('fd00:ec2::254')],
  'zero.test': [v4('0.0.0.0')],
  'multicast.test': [v4('224.0.0.1')],
  'xn--nxasmq6b.test': [v4('192.168.1.1')],
};
const lookup = async (host: string): Promise<readonly HostAddress[]> => names[host] ?? [];

// {port} is where a server listens on this machine, which must never hear of any of these.
const hostile: readonly (readonly [kind: 'denied' | 'invalid_input', url: string])[] = [
  // Schemes and spellings that are no page of the web.
  ['invalid_input', 'file:///etc/passwd'],
  ['invalid_input', 'ftp://example.com/'],
  ['invalid_input', 'gopher://127.0.0.1:{port}/_GET'],
  ['invalid_input', 'data:text/html,hello'],
  ['invalid_input', 'javascript:alert(1)'],
  ['invalid_input', 'blob:http://127.0.0.1:{port}/x'],
  ['invalid_input', 'ws://127.0.0.1:{port}/'],
  ['invalid_input', 'dict://127.0.0.1:{port}/info'],
  ['invalid_input', 'view-source:http://127.0.0.1:{port}/'],
  ['invalid_input', '127.0.0.1:{port}'],
  ['invalid_input', '//127.0.0.1:{port}/'],
  ['invalid_input', '/etc/passwd'],
  ['invalid_input', ''],
  ['invalid_input', 'http://'],
  ['invalid_input', 'http://[::1'],
  ['invalid_input', 'http://[fe80::1%25eth0]:{port}/'],
  ['invalid_input', 'http://127.0.0.1:{port}\t/'],
  ['invalid_input', 'http://127.0.0.1\n:{port}/'],
  ['invalid_input', `http://example.com/${'a'.repeat(5000)}`],
  // Credentials, also those that only make a URL look like another.
  ['invalid_input', 'http://user@127.0.0.1:{port}/'],
  ['invalid_input', 'http://user:secret@example.com/'],
  ['invalid_input', 'http://example.com@127.0.0.1:{port}/'],
  ['invalid_input', 'http://example.com%20@127.0.0.1:{port}/'],
  ['invalid_input', 'http://127.0.0.1:{port}#@example.com@127.0.0.1/'.replace('#', '')],
  // Loopback in all its spellings.
  ['denied', 'http://127.0.0.1:{port}/'],
  ['denied', 'http://127.0.0.1.:{port}/'],
  ['denied', 'http://127.1:{port}/'],
  ['denied', 'http://127.0.1:{port}/'],
  ['denied', 'http://2130706433:{port}/'],
  ['denied', 'http://0x7f000001:{port}/'],
  ['denied', 'http://0x7f.0x0.0x0.0x1:{port}/'],
  ['denied', 'http://0x7f.1:{port}/'],
  ['denied', 'http://017700000001:{port}/'],
  ['denied', 'http://0177.0.0.1:{port}/'],
  ['denied', 'http://0177.0.0.0x1:{port}/'],
  ['denied', 'http://127.0.0.2:{port}/'],
  ['denied', 'http://127.255.255.254:{port}/'],
  ['denied', 'http://①②⑦.⓪.⓪.①:{port}/'],
  ['denied', 'http://127。0。0。1:{port}/'],
  ['denied', 'http://%31%32%37.0.0.1:{port}/'],
  ['denied', 'http://127.0.0.1:{port}\\@example.com/'],
  ['denied', 'http:127.0.0.1:{port}/'],
  ['denied', 'http:\\\\127.0.0.1:{port}\\'],
  ['denied', '  http://127.0.0.1:{port}/  '],
  ['denied', 'HTTP://LOCALHOST:{port}/'],
  ['denied', 'http://localhost:{port}/'],
  ['denied', 'http://localhost.:{port}/'],
  ['denied', 'http://foo.localhost:{port}/'],
  ['denied', 'http://localhost.localdomain:{port}/'],
  ['denied', 'http://ⓛocalhost:{port}/'],
  ['denied', 'http://[::1]:{port}/'],
  ['denied', 'http://[0:0:0:0:0:0:0:1]:{port}/'],
  ['denied', 'http://[::]:{port}/'],
  ['denied', 'http://[::ffff:127.0.0.1]:{port}/'],
  ['denied', 'http://[::ffff:7f00:1]:{port}/'],
  ['denied', 'http://[::127.0.0.1]:{port}/'],
  ['denied', 'http://[64:ff9b::127.0.0.1]:{port}/'],
  ['denied', 'http://[2002:7f00:1::]:{port}/'],
  ['denied', 'http://0.0.0.0:{port}/'],
  ['denied', 'http://0:{port}/'],
  // Inner networks, clouds, and what is not for single machines.
  ['denied', 'http://10.0.0.1/'],
  ['denied', 'http://172.16.0.1/'],
  ['denied', 'http://172.31.255.255/'],
  ['denied', 'http://192.168.0.1/'],
  ['denied', 'http://100.64.0.1/'],
  ['denied', 'http://169.254.169.254/latest/meta-data/'],
  ['denied', 'http://[fd00:ec2::254]/latest/meta-data/'],
  ['denied', 'http://[fe80::1]/'],
  ['denied', 'http://[fec0::1]/'],
  ['denied', 'http://[ff02::1]/'],
  ['denied', 'http://168.63.129.16/'],
  ['denied', 'http://198.18.0.1/'],
  ['denied', 'http://192.0.2.1/'],
  ['denied', 'http://[2001:db8::1]/'],
  ['denied', 'http://224.0.0.1/'],
  ['denied', 'http://255.255.255.255/'],
  ['denied', 'http://metadata.google.internal/computeMetadata/v1/'],
  ['denied', 'http://printer.local/'],
  ['denied', 'http://router.lan/'],
  ['denied', 'http://intranet/'],
  ['denied', 'http://kubernetes.default.svc.internal/'],
  // Names that stand for such addresses.
  ...Object.keys(names).map((name) => ['denied', `http://${name}:{port}/`] as const),
  // Ports that are not the web's.
  ['denied', 'http://93.184.215.14:22/'],
  ['denied', 'http://93.184.215.14:6379/'],
  ['denied', 'https://93.184.215.14:25/'],
];

test('there are more than sixty hostile URLs', () => expect(hostile.length).toBeGreaterThan(60));

test.each(hostile)('%s: %s', async (kind, url) => {
  const server = await startLoopback((_, response) => response.end('secret'), { robots: false });
  const fetch = createSafeFetch({ lookup, ports: [80, 443, server.port] });
  const failure = classify(await fetch(url.replaceAll('{port}', String(server.port))).then(String, (error) => error));
  expect(failure.kind).toBe(kind);
  expect(failure.code).toBe(kind === 'denied' ? undefined : 'invalid_url_format');
  expect(server.requests).toEqual([]);
});

test('a host is allowed by name or by address, on any port', async () => {
  const server = await startLoopback((_, response) => response.end('fine'));
  const url = (host: string) => `http://${host}:${server.port}/`;
  const body = async (allowHosts: string[], host: string) =>
    new TextDecoder().decode((await createSafeFetch({ allowHosts, lookup })(url(host))).body);
  expect(await body(['127.0.0.1'], '127.0.0.1')).toBe('fine');
  expect(await body(['localtest.test'], 'localtest.test')).toBe('fine');
  await expect(body(['localtest.test'], '127.0.0.1')).rejects.toMatchObject({ kind: 'denied' });
  await expect(body(['other.test'], 'localtest.test')).rejects.toMatchObject({ kind: 'denied' });
});

test("names are looked up by the system's resolver unless stated otherwise", async () => {
  const server = await startLoopback((_, response) => response.end('fine'));
  const { body } = await createSafeFetch({ allowHosts: ['localhost'] })(`http://localhost:${server.port}/`);
  expect(new TextDecoder().decode(body)).toBe('fine');
});

describe('a name that stands for another address the second time', () => {
  const start = async () => {
    const harmless = await startLoopback((_, response) => response.end('harmless'), { host: '127.0.0.2' });
    const secret = await startLoopback((_, response) => response.end('secret'), { host: '127.0.0.3', port: harmless.port });
    let asked = 0;
    const rebinding = async (): Promise<readonly HostAddress[]> => {
      asked += 1;
      return [v4(asked === 1 ? '127.0.0.2' : '127.0.0.3')];
    };
    return { harmless, secret, rebinding, asked: () => asked, url: `http://rebind.test:${harmless.port}/` };
  };

  test('is connected to at the address that was checked', async () => {
    const { harmless, secret, rebinding, asked, url } = await start();
    const fetch = createSafeFetch({ lookup: rebinding, allowHosts: ['127.0.0.2'], ports: [harmless.port] });
    expect(new TextDecoder().decode((await fetch(url)).body)).toBe('harmless');
    expect(secret.requests).toEqual([]);
    expect(harmless.requests[0]?.headers.host).toBe(`rebind.test:${harmless.port}`);
    expect(asked()).toBe(1);
    // The second time it is checked anew, and refused.
    await expect(fetch(url)).rejects.toMatchObject({ kind: 'denied' });
    expect(secret.requests).toEqual([]);
  });

  test('would reach the secret if it were asked for once to check and once to connect', async () => {
    const { secret, rebinding, url } = await start();
    expect(await rebinding()).toEqual([v4('127.0.0.2')]);
    const naive = ((_host, _options, answer) => void rebinding().then((found) => answer(null, [...found]))) as LookupFunction;
    await new Promise((resolve, reject) =>
      get(url, { lookup: naive, agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject),
    );
    expect(secret.requests).toHaveLength(1);
  });

  test('is checked anew on each hop of a redirect', async () => {
    const { harmless, secret, rebinding } = await start();
    const first = await startLoopback((_, response) => response.writeHead(302, { location: `http://rebind.test:${harmless.port}/` }).end());
    await rebinding();
    const fetch = createSafeFetch({ lookup: rebinding, allowHosts: ['127.0.0.1', '127.0.0.2'], ports: [harmless.port] });
    await expect(fetch(first.origin)).rejects.toMatchObject({ kind: 'denied' });
    expect(secret.requests).toEqual([]);
  });
});

test.each([
  ['denied', 'http://169.254.169.254/latest/meta-data/'],
  ['denied', 'http://127.0.0.9:{port}/'],
  ['denied', '//127.0.0.9:{port}/'],
  ['denied', 'http://localtest.test:{port}/'],
  ['bad_response', 'file:///etc/passwd'],
  ['bad_response', 'http://user:secret@127.0.0.1:{port}/'],
] as const)('a redirect is refused as %s: %s', async (kind, location) => {
  const server = await startLoopback(({ headers }, response) =>
    response.writeHead(302, { location: location.replace('{port}', headers.host?.split(':')[1] ?? '') }).end(),
  );
  const fetch = createSafeFetch({ lookup, allowHosts: ['127.0.0.1'] });
  await expect(fetch(server.origin)).rejects.toMatchObject({ kind });
  expect(server.requests).toHaveLength(1);
});

test('redirects are followed, relative ones too, and the last address is reported', async () => {
  const server = await startLoopback(({ url }, response) =>
    url === '/a' ? response.writeHead(301, { location: 'b?c=1#d' }).end() : response.end('there'),
  );
  const { url, body } = await createSafeFetch({ allowHosts: ['127.0.0.1'] })(`${server.origin}/a`);
  expect([url, new TextDecoder().decode(body)]).toEqual([`${server.origin}/b?c=1`, 'there']);
});

test('a redirect loop ends after five hops', async () => {
  const server = await startLoopback((_, response) => response.writeHead(302, { location: '/again' }).end());
  await expect(createSafeFetch({ allowHosts: ['127.0.0.1'] })(server.origin)).rejects.toMatchObject({ kind: 'bad_response' });
  expect(server.requests).toHaveLength(6);
});

test.each([
  ['gzip', gzipSync('packed')],
  ['deflate', deflateSync('packed')],
  ['br', brotliCompressSync('packed')],
])('%s is unpacked', async (encoding, packed) => {
  const server = await startLoopback((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed));
  const { body } = await createSafeFetch({ allowHosts: ['127.0.0.1'] })(server.origin);
  expect(new TextDecoder().decode(body)).toBe('packed');
});

const large = Buffer.alloc(5_000_000);
test.each([
  ['says that it is too large', { 'content-length': String(large.length) }, large],
  ['is too large without saying so', { 'transfer-encoding': 'chunked' }, large],
  ['is too large when it is unpacked', { 'content-encoding': 'gzip' }, gzipSync(large)],
])('a page that %s is refused', async (_, headers, body) => {
  const server = await startLoopback((_request, response) => response.writeHead(200, headers).end(body));
  const fetch = createSafeFetch({ allowHosts: ['127.0.0.1'], maxBytes: 1_000_000 });
  await expect(fetch(server.origin)).rejects.toMatchObject({ kind: 'too_large' });
});

test.each([
  ['timeout', 'never answers', () => undefined],
  ['timeout', 'stops in the middle', (response) => response.writeHead(200, { 'content-length': '100' }).write('half')],
  ['unreachable', 'hangs up', (response) => response.destroy()],
  [
    'unreachable',
    'promises more than it sends',
    (response) => response.writeHead(200, { 'content-length': '100' }).end('half', () => response.destroy()),
  ],
] as readonly (readonly [string, string, (response: ServerResponse) => unknown])[])(
  'it is %s when the other side %s',
  async (kind, _, answer) => {
    const server = await startLoopback((_request, response) => answer(response));
    const fetch = createSafeFetch({ allowHosts: ['127.0.0.1'], timeoutMs: kind === 'timeout' ? 150 : 30_000 });
    const thrown = await fetch(server.origin).then(String, (error: unknown) => error);
    expect(classify(thrown, { stopped: false }).kind).toBe(kind);
  },
);

test('a resolver that never answers is waited for no longer than the page', async () => {
  const fetch = createSafeFetch({ lookup: () => new Promise(() => undefined), timeoutMs: 50 });
  await expect(fetch('http://slow.test/')).rejects.toMatchObject({ name: 'TimeoutError' });
});
