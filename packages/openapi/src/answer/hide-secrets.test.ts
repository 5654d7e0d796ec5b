import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createToolbox } from 'toolpact';
import { expect, onTestFinished, test } from 'vitest';
import { fromOpenApi } from '../index.ts';
import { hideSecrets } from './hide-secrets.ts';

const secret = 'se/cret+k\u00e9y!';

test.each([
  ['as it is', `a ${secret} b`, 'a [redacted] b'],
  ['in an address', `?key=${encodeURIComponent(secret)}&x`, '?key=[redacted]&x'],
  ['in an address that spells every sign', '?key=se%2Fcret%2Bk%C3%A9y%21&x', '?key=[redacted]&x'],
  ['in an address with small letters', '?key=se%2fcret%2bk%c3%a9y%21&x', '?key=[redacted]&x'],
  ['in JSON as PHP writes it', String.raw`{"k": "se\/cret+k\u00e9y!"}`, '{"k": "[redacted]"}'],
  ['in JSON as Python writes it', String.raw`{"k": "se/cret+k\u00e9y!"}`, '{"k": "[redacted]"}'],
])('a secret is hidden %s', (_, text, hidden) => {
  expect(hideSecrets([secret])(text)).toBe(hidden);
});

test('a secret that holds another is hidden whole, and one too short to be one is left alone', () => {
  expect(hideSecrets(['12345678', 'Bot 12345678', 'abc'])('Bot 12345678 abc')).toBe('[redacted] abc');
});

// Escapes that are never needed can stand for any letter; only parsing undoes them all.
const escaped = String.raw`s\u0065\/cret+k\u00E9y!`;

test.each([
  [200, 'application/json', `{"you": "${escaped}", "by": {"${escaped}": ["${escaped}"]}}`],
  [200, 'text/plain', `{"you": "${escaped}"}`],
  [400, 'application/json', `{"message": "${escaped} is wrong", "field": "${escaped}"}`],
  [400, 'text/plain', `{"message": "${escaped} is wrong"}`],
  [500, 'application/json', `{"message": "${escaped} is wrong"}`],
])('an API that echoes it with escapes (%i, %s) does not show it', async (status, type, body) => {
  const server = createServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const description = {
    openapi: '3.1.0',
    servers: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    security: [{ key: [] }],
    paths: { '/me': { get: { operationId: 'me', responses: { 200: { content: { 'application/json': {} } } } } } },
  };
  const { tools } = fromOpenApi(description, { auth: { key: secret }, servers: 'any' });
  const outcome = await createToolbox(tools, { report: () => undefined }).call('me', {});
  expect(outcome.status).toBe(status === 200 ? 'ok' : 'error');
  expect(JSON.stringify(outcome)).toContain('[redacted]');
  expect(JSON.stringify(outcome)).not.toContain('cret+k');
});
