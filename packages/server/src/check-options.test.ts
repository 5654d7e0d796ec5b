import { createToolbox } from 'toolpact';
import { expect, test } from 'vitest';
import { createServer } from './create-server.ts';
import { listen } from './node/listen.ts';
import type { ServerOptions } from './server-options.ts';

const auth = () => ({ tenantId: 'acme' });
const toolbox = createToolbox([]);

test.each([
  [{ rateLimit: 5 }, /createServer: the option "rateLimit" does not exist\. Did you mean "limits"\?$/],
  [{ auth: [] }, /auth is an empty array/],
  [{ auth: 'secret' }, /auth must be a function/],
  [{ hosts: ['tools.example.com'] }, /auth is needed/],
  [{ hosts: ['*'] }, /auth is needed/],
  [{ hosts: [] }, /hosts must be an array/],
  [{ hosts: ['tools.example.com:80'], auth }, /without scheme and port/],
  [{ hosts: ['https://tools.example.com'], auth }, /without scheme and port/],
  [{ origins: ['app.example.com'] }, /an origin looks like/],
  [{ origins: ['https://app.example.com/'] }, /an origin looks like/],
  [{ maxBodyBytes: 0 }, /maxBodyBytes must be a number above 0/],
  [{ maxDepth: '9' }, /maxDepth must be a number above 0/],
  [{ maxTimeoutMs: 0 }, /maxTimeoutMs must be a number above 0/],
  [{ limits: {} }, /limits needs perKey or perTenant/],
  [{ limits: { perKey: { limit: 0 } } }, /limits.perKey.limit must be a number above 0/],
  [{ limits: { perKey: { limit: 5, per: 'hour' } } }, /limits.perKey: the option "per" does not exist/],
  [{ limits: { perIp: { limit: 5 } } }, /limits: the option "perIp" does not exist/],
  [{ limits: { perKey: { limit: 5 }, store: {} } }, /must be a store/],
  [{ auditLog: 'no' }, /auditLog must be true or false/],
  [{ telemetry: { start: () => undefined } }, /telemetry must be what `openTelemetry\(\)`/],
  [{ telemetry: null }, /telemetry must be what `openTelemetry\(\)`/],
])('a server does not start with %o', (options, message) => {
  expect(() => createServer(toolbox, options as unknown as ServerOptions)).toThrow(message);
});

test.each<ServerOptions>([
  {},
  { hosts: ['localhost', '127.0.0.1'] },
  { hosts: ['tools.example.com', '::1'], auth },
  { hosts: ['*'], auth },
  { origins: ['https://app.example.com', 'http://localhost:3000'] },
  { limits: { perTenant: { limit: 5, windowMs: 1000 } } },
])('a server starts with %o', (options) => {
  expect(createServer(toolbox, options).hasAuth).toBe(options.auth !== undefined);
});

test.each([
  [{}, { hostname: '0.0.0.0' }, /needs auth/],
  [{}, { hostname: '::' }, /needs auth/],
  [{}, { hostname: '192.168.0.1' }, /needs auth/],
  [{ auth }, { hostname: '0.0.0.0' }, /tell createServer which, with `hosts`/],
  [{}, { port: -1 }, /port must be/],
  [{}, { port: 70_000 }, /port must be/],
  [{}, { host: '0.0.0.0' }, /listen: the option "host" does not exist. Did you mean "hostname"/],
])('a server with %o does not listen with %o', async (options, listenOptions, message) => {
  await expect(listen(createServer(toolbox, options), listenOptions as never)).rejects.toThrow(message);
});

test('a server with authentication and names listens on all addresses', async () => {
  const { url, close } = await listen(createServer(toolbox, { auth, hosts: ['127.0.0.1'] }), { hostname: '0.0.0.0', port: 0 });
  expect((await fetch(url.replace('0.0.0.0', '127.0.0.1').concat('/healthz'))).status).toBe(200);
  await close();
});
