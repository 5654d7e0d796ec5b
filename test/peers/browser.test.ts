import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle-size.ts';

const installed = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** Keep Chromium from calling its maker, and let it run as root. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let temporary: string;
let server: Server;
let browser: Browser;
let outcomes: Record<string, unknown>;

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'toolpact-browser-'));
  const { code } = await bundle(fileURLToPath(new URL('browser-page.ts', import.meta.url)));
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
  });
  const port = await listen(server);
  browser = await chromium.launch({ executablePath: await findChromium(), args: flags });
  const page = await browser.newPage();
  const broken = new Promise<never>((_, reject) => page.on('pageerror', reject));
  await page.goto(`http://127.0.0.1:${port}/?closed=http://127.0.0.1:${await closedPort()}/`);
  await Promise.race([page.waitForFunction('globalThis.outcomes'), broken]);
  outcomes = await page.evaluate('outcomes');
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(temporary, { recursive: true, force: true });
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

/** Prefers an installed Chromium; otherwise unpacks the one that npm brought, into a folder of this run's own. */
async function findChromium(): Promise<string> {
  const path = installed.find((candidate) => candidate && existsSync(candidate));
  if (path) return path;
  process.env.TMPDIR = temporary;
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

async function closedPort(): Promise<number> {
  const taken = createServer();
  const port = await listen(taken);
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

function listen(target: Server): Promise<number> {
  return new Promise((resolve) => target.listen(0, '127.0.0.1', () => resolve((target.address() as AddressInfo).port)));
}
