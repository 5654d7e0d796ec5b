import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { apiKeys, createInspectorProxy, hashApiKey } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import type { Browser, Page } from 'playwright-core';
import type { Ledger } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type OpenChromium, openChromium } from '../../../proofs/peers/open-chromium.ts';
import { folderWith, start } from '../../cli/test/run-toolpact.ts';
import { startProcess } from '../../cli/test/start-process.ts';
import { hostileText, type Inspected, recordCalls, serveInspected } from './inspected-server.ts';

const acme = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const keys = { acme: 'a-key-of-acme-with-enough-characters', other: 'a-key-of-other-with-enough-characters' };
const axe = readFileSync(
  createRequire(new URL('../../../proofs/peers/package.json', import.meta.url)).resolve('axe-core/axe.min.js'),
  'utf8',
);
const pages = ['calls', 'runs', 'runs/run_1', 'tools', 'tools/order', 'tools/~connect', 'approvals', 'health', 'servers'];

let chromium: OpenChromium;
let server: Inspected;
let failedId: string;

beforeAll(async () => {
  [chromium, server] = await Promise.all([openChromium(), serveInspected()]);
  await server.call('greet', { name: 'Ann' }, { runId: 'run_1' });
  await server.call('pay', { to: 'shop', amount: 900 }, { runId: 'run_1' });
  failedId = await server.call('look_up', { how: 'bug' }, { runId: 'run_1' });
});

afterAll(async () => {
  await server?.close();
  await chromium?.close();
});

async function newPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await chromium.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options });
  context.setDefaultTimeout(30_000);
  onTestFinished(() => context.close());
  return context.newPage();
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Enter key' }).click();
  await page.getByRole('dialog').locator('input').fill(key);
  await page.getByRole('dialog').getByRole('button', { name: 'Use key' }).click();
}

/** A server that asks for a key, with two tenants. */
async function guarded(): Promise<Inspected> {
  const auth = apiKeys([
    { keyId: 'acme', hash: hashApiKey(keys.acme), tenantId: acme, scopes: ['*'] },
    { keyId: 'other', hash: hashApiKey(keys.other), tenantId: other },
  ]);
  const own = await serveInspected({ auth, isDev: false });
  onTestFinished(own.close);
  return own;
}

const rowsOf = (page: Page): Promise<string[]> => page.locator('.row .row-tool').allTextContents();

describe('a result that attacks the page', () => {
  test.each([
    ['a result with a warning', { mb: 0 }, 1],
    ['a failure', { mb: 0, fails: true }, 0],
    ['a result of 10 MB', { mb: 10 }, 1],
  ])('%s stays text', async (_, args, warnings) => {
    const id = await server.call('hostile', args, { runId: hostileText });
    const page = await newPage();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const look = () =>
      page.evaluate(() => ({
        hacked: 'wasHacked' in globalThis,
        frames: document.querySelectorAll('iframe, main img, main script, main b').length,
        // The sign that turns text around is shown as a word instead of being obeyed.
        turned: [...document.querySelectorAll('body *')]
          .filter((element) =>
            [element.children.length === 0 && element.textContent, element.getAttribute('title'), element.getAttribute('aria-label')].some(
              (text) => String(text).includes('\u202e'),
            ),
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 100)),
      }));
    await page.goto(`${server.url}#/tools/hostile`);
    await page.getByRole('heading', { name: 'hostile' }).waitFor();
    const onTools = await look();
    await page.goto(`${server.url}#/calls?tool=hostile&runId=${encodeURIComponent(hostileText)}`);
    await page.locator('.row').first().waitFor();
    const onCalls = await look();
    await page.goto(`${server.url}#/calls/${id}`);
    await page.getByRole('heading', { name: 'What the model read' }).waitFor();
    const onCall = await look();
    const harmless = { hacked: false, frames: 0, turned: [] };
    expect([onTools, onCalls, onCall, dialogs]).toEqual([harmless, harmless, harmless, []]);
    expect(await page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').count()).toBe(warnings);
  });

  test('nothing can break out of an exported form', async () => {
    const id = await server.call('hostile', { mb: 0 });
    const page = await newPage();
    await page.goto(`${server.url}#/calls/${id}`);
    const exported = page.locator('section', { has: page.getByRole('heading', { name: 'Export', exact: true }) }).last();
    await exported.getByRole('button', { name: 'Show' }).click();
    for (const name of ['TypeScript client', 'Vitest test', 'Bug report', 'curl']) await exported.getByRole('tab', { name }).click();
    expect(await page.evaluate(() => 'wasHacked' in globalThis)).toBe(false);
    expect(hostileText).toContain('<script>');
  });
});

describe('keys and tenants', () => {
  test('a page without a key asks for it, refuses a wrong one, and forgets it with a reload', async () => {
    const own = await guarded();
    await own.call('greet', { name: 'Ann' }, { tenantId: acme });
    const page = await newPage();
    const refusals: string[] = [];
    page.on('response', (response) => response.status() === 401 && refusals.push(response.url()));
    await page.goto(own.url);
    await page.getByRole('alert').getByText('This server requires an API key or token.').waitFor();
    await page.getByText('Needs a key').waitFor();
    expect(refusals).toHaveLength(1);
    await enterKey(page, 'a-key-that-nobody-has-been-given');
    await page.getByText('The server does not accept this key.').waitFor();
    await page.getByRole('dialog').locator('input').fill(keys.acme);
    await page.getByRole('dialog').getByRole('button', { name: 'Use key' }).click();
    await page.locator('.row').first().waitFor();
    expect(await rowsOf(page)).toEqual(['greet']);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))).not.toContain(
      keys.acme,
    );
    await page.reload();
    await page.getByRole('alert').getByText('This server requires an API key or token.').waitFor();
  });

  test('two tenants never see each other', async () => {
    const own = await guarded();
    const id = await own.call('look_up', { how: 'bug' }, { tenantId: acme, runId: 'run_acme' });
    await own.call('pay', { to: 'acme secret', amount: 900 }, { tenantId: acme });
    await own.call('greet', { name: 'theirs' }, { tenantId: other });
    const page = await newPage();
    await page.goto(own.url);
    await enterKey(page, keys.other);
    await page.locator('.row').first().waitFor();
    expect(await rowsOf(page)).toEqual(['greet']);
    await own.call('greet', { name: 'live' }, { tenantId: acme });
    await own.call('order', {}, { tenantId: other });
    await expect.poll(() => rowsOf(page)).toEqual(['order', 'greet']);
    const go = (hash: string): Promise<void> =>
      page.evaluate((to) => {
        location.hash = to;
      }, hash);
    await go(`#/calls/${id}`);
    await page.getByText('Call not found').waitFor();
    for (const hash of ['#/runs', '#/approvals', '#/health', '#/runs/run_acme']) {
      await go(hash);
      await page.locator('h1').first().waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/acme secret|run_acme\b(?![\s\S]*No calls)/);
    }
  });
});

describe('a key that changes', () => {
  test('leaves nothing on the page of what the key before could see', async () => {
    const own = await guarded();
    await own.call('pay', { to: 'acme secret', amount: 900 }, { tenantId: acme, runId: 'run_acme' });
    await own.call('greet', { name: 'theirs' }, { tenantId: other, runId: 'run_theirs' });
    const page = await newPage();
    await page.goto(`${own.url}#/calls`);
    await enterKey(page, keys.acme);
    await expect.poll(() => rowsOf(page)).toEqual(['pay']);
    const openDialog = (): Promise<void> => page.getByRole('button', { name: 'API key or token' }).click();
    await openDialog();
    await page.getByRole('dialog').locator('input').fill(keys.other);
    await page.getByRole('dialog').getByRole('button', { name: 'Use key' }).click();
    await expect.poll(() => rowsOf(page)).toEqual(['greet']);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('run_theirs').waitFor();
    await openDialog();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget key' }).click();
    await page.getByText('run_theirs').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('alert').getByText('This server requires an API key or token.').waitFor();
    expect(await rowsOf(page)).toEqual([]);
  });
});

describe('a connection that breaks', () => {
  test('a server that is killed and comes back is shown without a reload, and so is what was called meanwhile', async () => {
    const cwd = folderWith();
    const store = ['--store', 'calls.db'];
    const first = startProcess(['dev', '--sample', '--port', '0', ...store], { cwd });
    const [, url = ''] = await first.until(/Local +(\S+)/, 'stdout');
    await first.until(/Ctrl-C stops/, 'stdout');
    const page = await newPage();
    await page.goto(`${url}/`);
    await expect.poll(() => page.url()).toContain('/inspector/');
    await page.locator('.row').first().waitFor();
    first.kill('SIGKILL');
    await first.ended;
    await page.getByText('Cannot reach the server. Reconnecting…').waitFor();
    const second = start(['dev', '--sample', '--port', new URL(url).port, ...store], { cwd });
    await second.until(/Ctrl-C stops/, 'stdout');
    const answered = await fetch(`${url}/v1/tools/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-run-id': 'run_after' },
      body: '{"a":1,"b":2}',
    });
    expect(answered.status).toBe(200);
    await page.locator('.row', { hasText: 'run_after' }).waitFor();
    await page.getByText('Live').waitFor();
  });

  test('a store that fails is said to, what was read stays, and what came meanwhile is shown when it is back', async () => {
    const store = memoryStore();
    const ledger = store.calls as Ledger;
    let isDown = false;
    const list: Ledger['list'] = (query) => (isDown ? Promise.reject(new Error('disk full')) : ledger.list(query));
    const own = await serveInspected({ store: { ...store, calls: { ...ledger, list } } });
    onTestFinished(own.close);
    await own.call('greet', { name: 'Ann' }, { runId: 'run_before' });
    const page = await newPage();
    await page.goto(`${own.url}#/calls`);
    await page.locator('.row', { hasText: 'run_before' }).waitFor();
    isDown = true;
    await page.getByText('The store of the server does not answer. New calls appear when it does.').waitFor();
    await own.call('greet', { name: 'Ben' }, { runId: 'run_meanwhile' });
    expect(await rowsOf(page)).toEqual(['greet']);
    isDown = false;
    await page.locator('.row', { hasText: 'run_meanwhile' }).waitFor();
    await page.getByText('Live').waitFor();
    isDown = true;
    await page.getByText('The store of the server does not answer.').waitFor();
    await page.getByPlaceholder('Search arguments, results, ids').fill('Ann');
    await page.getByText('Could not load the calls').waitFor();
    isDown = false;
    await page.locator('.row', { hasText: 'run_before' }).waitFor();
  });

  /** A proxy that offers a server below a path, as load balancers do. */
  async function belowPath(path: string, port: number): Promise<string> {
    const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.url?.startsWith(path) !== true) return void response.writeHead(404).end();
      const { method = 'GET', headers } = request;
      const kept = Object.entries(headers).filter(
        ([name]) => !/^(?:host|connection|content-length|accept-encoding|origin|sec-.*)$/.test(name),
      );
      const body = method === 'GET' ? {} : { body: Buffer.concat(await request.toArray()) };
      const to = new URL(request.url.slice(path.length), `http://127.0.0.1:${port}/`);
      const answer = await fetch(to, { method, redirect: 'manual', headers: Object.fromEntries(kept) as Record<string, string>, ...body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const part of answer.body ?? []) response.write(part);
      response.end();
    };
    const prefixed = createHttp((request, response) => void forward(request, response).catch(() => response.destroy()));
    prefixed.listen(0, '127.0.0.1');
    await once(prefixed, 'listening');
    onTestFinished(() => {
      prefixed.closeAllConnections();
      prefixed.close();
    });
    return `http://127.0.0.1:${(prefixed.address() as AddressInfo).port}${path}`;
  }

  test('behind a path prefix and with `inspect` the page works as it is', async () => {
    const target = new URL(`http://127.0.0.1:${server.port}/`);
    const proxy = await listen(createInspectorProxy(target), { port: 0 });
    onTestFinished(() => proxy.close({ drainMs: 0 }));
    for (const url of [await belowPath('/team/', server.port), `${proxy.url}/`]) {
      const page = await newPage();
      await page.goto(url);
      await page.locator('.row', { hasText: 'greet' }).first().waitFor();
      await page.getByText('Live').waitFor();
      await page.goto(`${url}docs`);
      const description = page.getByRole('link', { name: 'OpenAPI description' });
      expect([await description.getAttribute('href'), page.url()]).toEqual([`${url}openapi.json`, `${url}inspector/#/tools`]);
    }
    const spoofed = await fetch(`${proxy.url}/v1/tools`, { headers: { origin: 'https://evil.example.com' } });
    expect(spoofed.status).toBe(403);
    const { mcp } = (await (await fetch(`${proxy.url}/v1/inspector?base=${encodeURIComponent(proxy.url)}`)).json()) as {
      mcp: { url: string };
    };
    expect(mcp.url).toBe(`${target.href}mcp`);
  });

  test('`toolpact inspect` shows a server that needs a key and lies below a path, and comes back with it', async () => {
    const own = await guarded();
    await own.call('greet', { name: 'Ann' }, { tenantId: acme });
    await own.call('greet', { name: 'theirs' }, { tenantId: other, runId: 'run_theirs' });
    const address = await belowPath('/deep/tools/', own.port);
    const inspecting = start(['inspect', address, '--port', '0'], { cwd: folderWith() });
    const [, url = ''] = await inspecting.until(/Open +(\S+)/, 'stdout');
    const page = await newPage();
    await page.goto(url);
    await page.getByRole('alert').getByText('This server requires an API key or token.').waitFor();
    await enterKey(page, 'a-key-that-nobody-has-been-given');
    await page.getByText('The server does not accept this key.').waitFor();
    await page.getByRole('dialog').locator('input').fill(keys.acme);
    await page.getByRole('dialog').getByRole('button', { name: 'Use key' }).click();
    await page.locator('.row').first().waitFor();
    await page.getByText('Live').waitFor();
    await own.call('greet', { name: 'live' }, { tenantId: acme, runId: 'run_live' });
    await page.locator('.row', { hasText: 'run_live' }).click();
    await page.getByRole('button', { name: 'Edit and call' }).click();
    await page.getByRole('dialog').getByLabel('name').fill('through two proxies');
    await page.getByRole('dialog').getByRole('button', { name: 'Call greet' }).click();
    await page.getByText('Hello, through two proxies').first().waitFor();
    const exported = page.locator('section', { has: page.getByRole('heading', { name: 'Export', exact: true }) }).last();
    await exported.getByRole('button', { name: 'Show' }).click();
    await exported.getByText(`${address}v1/tools/greet`).first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('run_theirs');
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])),
    ).not.toContain(keys.acme);
    inspecting.kill('SIGINT');
    expect((await inspecting.ended).code).toBe(0);
  });
});

describe('very many calls', () => {
  test('the names of the columns stand above their columns, and rows reach the edge where nothing scrolls', async () => {
    const own = await serveInspected();
    onTestFinished(own.close);
    const page = await newPage();
    const rights = (): Promise<number[]> =>
      page.evaluate(() =>
        ['.row', '.row .row-age', '.row-names .row-age'].map((part) => document.querySelector(part)?.getBoundingClientRect().right ?? 0),
      );
    await own.call('greet', { name: 'Ann' });
    await page.goto(own.url);
    await page.locator('.row').first().waitFor();
    const [edge, age, name] = await rights();
    expect([edge, age]).toEqual([1280, name]);
    for (let made = 0; made < 30; made += 1) await own.call('greet', { name: `n${made}` });
    await page.locator('.row', { hasText: 'n29' }).waitFor();
    await expect.poll(async () => new Set((await rights()).slice(1)).size).toBe(1);
  });

  test('10,000 are scrolled through with a few dozen rows on the page, and searched to the last', async () => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await own.call('greet', { name: 'needle' });
    await recordCalls(store, 10_000);
    const page = await newPage();
    await page.goto(own.url);
    await page.locator('.row').first().waitFor();
    const most = await page.evaluate(async () => {
      const list = document.querySelector('.list') as HTMLElement;
      let rows = 0;
      const known = (): number => Number(list.querySelector('li')?.getAttribute('aria-setsize') ?? 0);
      while (known() < 10_001 || list.scrollTop + list.clientHeight < list.scrollHeight - 1) {
        list.scrollTop = list.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        rows = Math.max(rows, list.querySelectorAll('.row').length);
      }
      return rows;
    });
    expect(most).toBeLessThan(100);
    expect(await page.locator('.row').last().locator('..').getAttribute('aria-posinset')).toBe('10001');
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.row').first().locator('..').getAttribute('aria-posinset')).toBe('1');
    // The server searches 10,000 calls at a time.
    await page.getByPlaceholder('Search arguments, results, ids').fill('needle');
    await expect.poll(() => page.locator('.row .row-text').allTextContents()).toEqual(['name: needle']);
  }, 180_000);

  test('a list that was away while more calls came than one page holds has no gap', async () => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await recordCalls(store, 50);
    const page = await newPage();
    await page.clock.install();
    await page.goto(own.url);
    await page.getByText('Live').waitFor();
    await page.locator('.row').first().waitFor();
    const turn = (state: string) =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { get: () => visibilityState, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    // A tab in the background gives its stream back after a minute.
    await turn('hidden');
    await page.clock.fastForward(61_000);
    await recordCalls(store, 450);
    await turn('visible');
    await expect.poll(() => page.locator('.row').first().textContent()).toContain('n449');
    const list = page.locator('.list');
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return page.locator('.row').last().locator('..').getAttribute('aria-posinset');
      })
      .toBe('500');
  });

  test('more approvals than one page holds are counted as such', async () => {
    const own = await serveInspected();
    onTestFinished(own.close);
    for (let n = 0; n < 203; n += 1) await own.call('pay', { to: `person ${n}`, amount: 101 + n }, { runId: `run_${n}` });
    const page = await newPage();
    await page.goto(`${own.url}#/approvals`);
    await page.getByText('The 200 calls that have waited longest. More are waiting.').waitFor();
    expect(await page.title()).toBe('(200+) Approvals · Toolpact');
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.getByRole('link', { name: /^Approvals/ });
    const [icon, badge] = [await link.locator('.icon').boundingBox(), await link.locator('.badge').boundingBox()];
    expect((icon?.x ?? 0) + (icon?.width ?? 0)).toBeLessThanOrEqual(badge?.x ?? 0);
    expect((badge?.x ?? 0) + (badge?.width ?? 0)).toBeLessThan(390);
  });

  test('runs that are older than the thousand calls which are read at once are shown too', async () => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await own.call('greet', { name: 'first' }, { runId: 'run_oldest' });
    await recordCalls(store, 2_000);
    await own.call('greet', { name: 'last' }, { runId: 'run_newest' });
    const page = await newPage();
    await page.goto(`${own.url}#/runs`);
    await page.getByText('run_newest').waitFor();
    expect(await page.getByText('run_oldest').count()).toBe(0);
    await page.getByRole('button', { name: 'Show older runs' }).click();
    await page.getByText('The runs of the newest 2,000 calls.').waitFor();
    await page.getByRole('button', { name: 'Show older runs' }).click();
    await page.getByText('run_oldest').click();
    await page.getByText('Hello, first').first().waitFor();
  });
});

/** Lets axe look at a page. */
async function findProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
      }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
}

describe('for everybody', () => {
  test.each([
    ['light', 1280, 800],
    ['dark', 390, 844],
  ] as const)(
    'axe finds nothing on any page in %s at %d by %d',
    async (colorScheme, width, height) => {
      const page = await newPage({ colorScheme, bypassCSP: true, viewport: { width, height } });
      for (const hash of [...pages, `calls/${failedId}`, 'calls/unknown', 'tools/unknown']) {
        await page.goto('about:blank');
        await page.goto(`${server.url}#/${hash}`);
        await page.getByText('Live').waitFor();
        await page.locator('.waiting').waitFor({ state: 'detached' });
        if (hash.startsWith('calls/')) await page.getByRole('heading', { name: /What the model read|Call not found/ }).waitFor();
        expect([hash, await findProblems(page)]).toEqual([hash, []]);
      }
      await page.goto(`${server.url}#/calls`);
      await page.getByRole('button', { name: /kinds$/i }).click();
      await page.getByRole('checkbox', { name: 'Timed out' }).waitFor();
      expect(await findProblems(page)).toEqual([]);
    },
    180_000,
  );

  test.each([
    [1280, 800],
    [1440, 900],
    [390, 844],
  ])('at %d by %d parts of a page scroll to their end, and the page itself stays where it is', async (width, height) => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await recordCalls(store, 300);
    const id = await own.call('look_up', { how: 'bug' }, { runId: 'run_1' });
    const page = await newPage({ viewport: { width, height } });
    const whole = () => page.evaluate(() => [document.documentElement.scrollHeight, document.body.scrollHeight, scrollY]);
    for (const hash of [...pages, `calls/${id}`]) {
      await page.goto('about:blank');
      await page.goto(`${own.url}#/${hash}`);
      await page.getByText('Live').first().waitFor({ state: 'attached' });
      await page.locator('.waiting').waitFor({ state: 'detached' });
      expect([hash, await whole()]).toEqual([hash, [height, height, 0]]);
    }
    const facts = page.getByRole('heading', { name: 'Facts' });
    await facts.waitFor({ state: 'attached' });
    await page.mouse.move(width - 60, height / 2);
    const isSeen = () => facts.evaluate((heading) => heading.getBoundingClientRect().bottom < innerHeight);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 2000);
        return isSeen();
      })
      .toBe(true);
    await page.mouse.wheel(0, 2000);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await whole()).toEqual([height, height, 0]);
    // The browser scrolls some frames after the wheel, and what is read late stands above.
    await expect.poll(isSeen).toBe(true);
  });

  test('on a phone the focus goes with a call that opens, and back to its row', async () => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await recordCalls(store, 60);
    const page = await newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(own.url);
    await page.locator('.row').first().waitFor();
    for (let times = 0; times < 40; times += 1) await page.keyboard.press('j');
    const current = page.locator('.row-current');
    const id = await current.getAttribute('data-id');
    const { y } = (await current.boundingBox()) ?? { y: 0 };
    await page.keyboard.press('Enter');
    await page.locator('.pane:focus').waitFor();
    await page.getByRole('link', { name: 'Back to the calls' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.row-current:focus').waitFor();
    expect([await current.getAttribute('data-id'), (await current.boundingBox())?.y]).toEqual([id, y]);
  });

  test('a filter is set without a mouse: what matches is announced, and the focus returns to where the dialog was opened', async () => {
    const page = await newPage();
    await page.goto(`${server.url}#/calls`);
    await page.locator('.row').first().waitFor();
    const more = page.getByRole('button', { name: 'More filters' });
    await more.press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('run_1');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('3 calls match').waitFor({ state: 'attached' });
    await expect.poll(() => more.evaluate((button) => document.activeElement === button)).toBe(true);
  });

  test('a row that was reached by keyboard stays where it is while calls come in', async () => {
    const store = memoryStore();
    const own = await serveInspected({ store });
    onTestFinished(own.close);
    await recordCalls(store, 20);
    const page = await newPage();
    await page.goto(own.url);
    await page.getByText('Live').waitFor();
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('j');
    const row = page.locator('.row:focus');
    await row.waitFor();
    const place = await row.boundingBox();
    await recordCalls(store, 100);
    await page.getByRole('button', { name: '100 new calls' }).waitFor();
    expect(await row.boundingBox()).toEqual(place);
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.row').first().locator('..').getAttribute('aria-setsize')).toBe('120');
  });

  test('a decision is announced, and the focus is not lost with its card', async () => {
    const own = await serveInspected();
    onTestFinished(own.close);
    for (const to of ['ann', 'ben']) await own.call('pay', { to, amount: 500 }, { runId: `run_${to}` });
    const page = await newPage();
    await page.goto(`${own.url}#/approvals`);
    await page.getByRole('status').getByText('2 calls wait for a person').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Approve: Pay 500 to ann/ }).press('Enter');
    await page.getByRole('status').getByText('Approved: Pay 500 to ann?').waitFor({ state: 'attached' });
    await page.locator('.card').nth(1).waitFor({ state: 'detached' });
    await page.locator('h1:focus').waitFor();
    await page.getByRole('status').getByText('1 call waits for a person').waitFor({ state: 'attached' });
  });

  test('no page scrolls sideways on a phone', async () => {
    const page = await newPage({ viewport: { width: 390, height: 844 } });
    for (const hash of [...pages, `calls/${failedId}`]) {
      await page.goto('about:blank');
      await page.goto(`${server.url}#/${hash}`);
      await page.locator('main').locator('*').first().waitFor();
      await page.getByRole('status').first().waitFor();
      const widths = (): Promise<number> => page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      await expect.poll(widths).toBe(390);
    }
    const related = page.locator('.related-call').first();
    await related.waitFor();
    // Tool, text and time of a related call stand beside each other, not on each other.
    const edges = await related.evaluate(({ children }) =>
      [...children].map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    );
    expect(edges.every(([left = 0], index) => left >= (edges[index - 1]?.[1] ?? 0))).toBe(true);
  });
});
