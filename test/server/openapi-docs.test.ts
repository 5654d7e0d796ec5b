import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { pending } from '../../src/core/outcome/index.ts';
import { createToolbox, defineTool } from '../../src/core/runtime/index.ts';
import { apiKeys, createApiKey } from '../../src/edges/server/index.ts';
import { approvals, defer } from '../../src/parts/guards/index.ts';
import { memoryStore } from '../../src/parts/stores/memory.ts';
import { type OpenChromium, openChromium } from '../peers/open-chromium.ts';
import { sampleToolbox } from './openapi-sample.ts';
import { type Served, serve } from './serve-ways.ts';

const { key, hash } = createApiKey();
const store = memoryStore();
const waitingBox = createToolbox(
  [
    defineTool({ name: 'buy', description: 'Buys.', approval: true, run: () => ({ bought: true }) }),
    defineTool({
      name: 'register',
      description: 'Registers a person.',
      input: z.object({
        email: z.email(),
        zip: z.string().regex(/^\d{5}$/),
        lines: z.array(z.string().min(8)).min(2),
        age: z.int().min(18),
      }),
      effects: 'none',
      run: ({ age }) => ({ age }),
    }),
    defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'order_7', reason: 'host' }) }),
  ],
  { report: () => {}, use: [approvals({ store }), defer({ store })] },
);

let open: Served;
let guarded: Served;
let waiting: Served;
let chromium: OpenChromium;
const heard: string[] = [];

beforeAll(async () => {
  open = await serve('listener', sampleToolbox());
  const auth = apiKeys([{ hash, tenantId: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc', scopes: ['tools:call:add'] }]);
  guarded = await serve('listener', sampleToolbox(), { auth });
  waiting = await serve('listener', waitingBox);
  chromium = await openChromium();
});
afterAll(async () => {
  await chromium?.close();
  await open?.close();
  await guarded?.close();
  await waiting?.close();
});

async function show(url: string, width = 1200, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await chromium.browser.newPage({ viewport: { width, height: 850 }, colorScheme });
  heard.length = 0;
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) heard.push(`asked for ${request.url()}`);
  });
  await page.goto(`${url}/docs`);
  return page;
}

test('the page holds nothing about the tools, and allows its own script and style by their hashes alone', async () => {
  const { status, headers, text } = await guarded.send('GET', '/docs');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(text).not.toMatch(/\son\w+=|style=|https?:\/\/|tree:walk|innerHTML|eval\(/);
});

test.each([
  ['a desk', 1200, 'light'],
  ['a phone', 390, 'dark'],
] as const)('on %s it lists the tools, fits the screen, and asks nobody but its server', async (_, width, scheme) => {
  const page = await show(open.url, width, scheme);
  await page.waitForSelector('article');
  expect(await page.locator('article h2 a').allTextContents()).toEqual([
    'add',
    'rag:search',
    'end_as',
    'hang',
    'pay',
    'whoami',
    'tree:walk',
  ]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(heard).toEqual([]);
  await page.close();
});

test('whatever a tool says about itself is shown as text', async () => {
  const page = await show(open.url);
  await page.waitForSelector('#call_tree_walk');
  expect(await page.locator('#call_tree_walk .description').textContent()).toContain('<script>document.title = "broken in"</script>');
  expect([await page.title(), await page.locator('main img, main script').count(), heard]).toEqual(['Tools', 0, []]);
  await page.close();
});

test('its curl line works as it stands', async () => {
  const page = await show(open.url);
  const curl = await page.locator('#call_add .curl').textContent();
  expect(curl).toBe(`curl -sS '${open.url}/v1/tools/add' \\\n  -H 'content-type: application/json' \\\n  -d '{"a":1,"b":2}'`);
  await page.locator('#call_add summary', { hasText: 'Try it' }).click();
  await page.locator('#call_add textarea').fill(`{"a": "it's", "b": 2}`);
  expect(await page.locator('#call_add .curl').textContent()).toContain(`-d '{"a":"it'\\''s","b":2}'`);
  await page.close();
});

test('a call can be tried, in any dialect, and says what is wrong', async () => {
  const page = await show(open.url);
  const tool = page.locator('#call_add');
  await tool.locator('summary', { hasText: 'Try it' }).click();
  await tool.locator('button[type=submit]').click();
  await page.waitForSelector('#call_add .result .good');
  expect(await tool.locator('.result pre').textContent()).toContain('"sum": 3');
  await tool.locator('select').selectOption('coded');
  await tool.locator('textarea').fill('{"a": 1}');
  await tool.locator('button[type=submit]').click();
  await page.waitForSelector('#call_add .result .bad');
  expect(JSON.parse((await tool.locator('.result pre').textContent()) ?? '')).toMatchObject({ code: 4002, data: null });
  await tool.locator('textarea').fill('{');
  await tool.locator('button[type=submit]').click();
  await page.waitForSelector('#call_add .result .problem');
  await page.close();
});

test('arguments that are filled in are accepted, a call that waits does not look like a success, and only own failures are named so', async () => {
  const page = await show(waiting.url);
  for (const [tool, mark] of [
    ['register', 'good'],
    ['buy', 'waits'],
  ] as const) {
    await page.locator(`#call_${tool} summary`, { hasText: 'Try it' }).click();
    await page.locator(`#call_${tool} button[type=submit]`).click();
    await page.waitForSelector(`#call_${tool} .result .${mark}`);
  }
  await page.close();
  const sample = await show(open.url);
  const own = sample.locator('#call_tree_walk details', { hasText: 'Failures of its own' }).locator('li .about');
  expect(await own.allTextContents()).toEqual(['no_leaf', 'too_deep']);
  await sample.close();
});

test('a call that waits can be allowed or denied, and one that goes on can be asked for, from where it was made', async () => {
  const page = await show(waiting.url);
  const send = async (tool: string, button: string, until: string): Promise<string> => {
    await page.locator(`#call_${tool} .try button`, { hasText: button }).click();
    await page.locator(`#call_${tool} .result pre`, { hasText: until }).waitFor();
    return (await page.locator(`#call_${tool} .result pre`).textContent()) ?? '';
  };
  await page.locator('#call_buy summary', { hasText: 'Try it' }).click();
  await send('buy', 'Send', '"status": "pending"');
  expect(JSON.parse(await send('buy', 'Approve', '"bought"'))).toMatchObject({ status: 'ok', data: { bought: true } });
  await send('buy', 'Send', '"status": "pending"');
  expect(JSON.parse(await send('buy', 'Deny', '"status": "error"'))).toMatchObject({ error: { kind: 'denied' } });
  expect(await page.locator('#call_buy .next').count()).toBe(0);
  await page.locator('#call_order summary', { hasText: 'Try it' }).click();
  await send('order', 'Send', '"status": "pending"');
  await waitingBox.settle('order_7', { arrived: true });
  expect(JSON.parse(await send('order', 'Ask again', '"arrived"'))).toMatchObject({ status: 'ok', data: { arrived: true } });
  await page.close();
});

test('a search keeps what was typed and answered, and says when nothing matches', async () => {
  const page = await show(open.url);
  await page.locator('#call_add summary', { hasText: 'Try it' }).click();
  await page.locator('#call_add textarea').fill('{"a": 20, "b": 22}');
  await page.locator('#call_add button[type=submit]').click();
  await page.waitForSelector('#call_add .result .good');
  await page.locator('#search').fill('TREE');
  expect(await page.locator('article:visible h2 a, nav a:visible').allTextContents()).toEqual(['tree:walk', 'tree:walk']);
  await page.locator('#search').fill('zzz');
  expect(await page.locator('main > :visible').allTextContents()).toEqual(['No tool matches “zzz”.']);
  await page.locator('#search').fill('');
  expect(await page.locator('#call_add .result pre').textContent()).toContain('"sum": 42');
  await page.close();
});

test.each([
  ['a desk', 1200],
  ['a phone', 390],
] as const)('on %s an answer is read without scrolling sideways, and controls stand in line', async (_, width) => {
  const page = await show(open.url, width);
  await page.locator('#call_end_as summary', { hasText: 'Try it' }).click();
  await page.locator('#call_end_as textarea').fill(JSON.stringify({ how: 'x '.repeat(200) }));
  await page.locator('#call_end_as button[type=submit]').click();
  await page.waitForSelector('#call_end_as .result pre');
  const sideways = await page.locator('pre:visible').evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
  expect(Math.max(...sideways)).toBe(0);
  const heights = await page
    .locator('#call_end_as .row :is(input, select, button):visible')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(new Set(heights).size).toBe(1);
  await page.close();
});

test('the arguments of a tool are shown field by field', async () => {
  const page = await show(open.url);
  const tool = page.locator('#call_tree_walk');
  await tool.locator('> details > summary', { hasText: 'Arguments' }).click();
  const rows = await tool.locator('> details[open] > ul > li').allInnerTexts();
  expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
    'root object required name string required What it is called. children list of object required',
    'depth integer ≥ 1, ≤ 9, default 3',
  ]);
  await page.close();
});

test('a server that asks who calls shows its tools to those who say it', async () => {
  const page = await show(guarded.url);
  await page.waitForSelector('main .note');
  expect(await page.locator('main').textContent()).toBe('This server asks who you are. Enter your key above.');
  const heights = await page.locator('#enter :is(input, button)').evaluateAll((all) => all.map((one) => Math.round(one.clientHeight)));
  expect(heights).toEqual([40, 40]);
  await page.locator('#credential').fill(key);
  await page.locator('#enter button').click();
  await page.waitForSelector('article');
  expect(await page.locator('article h2 a').allTextContents()).toEqual(['add']);
  expect(await page.locator('.curl').textContent()).toContain('-H "authorization: Bearer $TOOLPACT_API_KEY"');
  await page.locator('#call_add summary', { hasText: 'Try it' }).click();
  await page.locator('#call_add button[type=submit]').click();
  await page.waitForSelector('#call_add .result .good');
  expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0]);
  await page.close();
});
