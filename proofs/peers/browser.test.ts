import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle-size.ts';
import { type OpenChromium, openChromium } from './open-chromium.ts';

let server: Server;
let chromium: OpenChromium;
let outcomes: Record<string, unknown>;

beforeAll(async () => {
  const { code } = await bundle(fileURLToPath(new URL('browser-page.ts', import.meta.url)));
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
  });
  const port = await listen(server);
  chromium = await openChromium();
  const page = await chromium.browser.newPage();
  const broken = new Promise<never>((_, reject) => page.on('pageerror', reject));
  await page.goto(`http://127.0.0.1:${port}/?closed=http://127.0.0.1:${await closedPort()}/`);
  await Promise.race([page.waitForFunction('globalThis.outcomes'), broken]);
  outcomes = await page.evaluate('outcomes');
});

afterAll(async () => {
  await chromium?.close();
  server?.close();
});

test('a good call in a browser ends ok with the data', () => {
  expect(outcomes.good).toMatchObject({ status: 'ok', data: { text: 'Hello, Ada' } });
});

test('bad arguments in a browser end as invalid_input that names the field', () => {
  expect(outcomes.badArguments).toMatchObject({
    status: 'error',
    error: { kind: 'invalid_input', recovery: 'fix_input', effect: 'none', issues: [{ path: ['name'], problem: 'type' }] },
  });
});

test('a fetch that reaches no server in a browser ends as unreachable and may be tried again', () => {
  expect(outcomes.unreachable).toMatchObject({
    status: 'error',
    error: { kind: 'unreachable', recovery: 'wait', retryable: true, effect: 'none' },
  });
});

test('a tool that never answers in a browser ends as timeout', () => {
  expect(outcomes.timeout).toMatchObject({ status: 'error', error: { kind: 'timeout', recovery: 'wait', retryable: true } });
});

async function closedPort(): Promise<number> {
  const taken = createServer();
  const port = await listen(taken);
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

function listen(target: Server): Promise<number> {
  return new Promise((resolve) => target.listen(0, '127.0.0.1', () => resolve((target.address() as AddressInfo).port)));
}
