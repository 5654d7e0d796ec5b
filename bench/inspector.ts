// Measures the inspector: its size, its first paint, how soon a call is shown, and the main thread at 1,000 calls a minute.
// node bench/inspector.ts [--seconds 20]; needs `npm run build` and proofs/peers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { serveSamples } from '../packages/inspector/test/serve-samples.ts';
import { openChromium } from '../proofs/peers/open-chromium.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
const perMinute = 1_000;

const samples = await serveSamples();
const { browser, close } = await openChromium();
try {
  printSize();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })).newPage();
  await page.goto(`${samples.url}/inspector/`);
  await page.locator('.row').first().waitFor();
  await printFirstPaint(page);
  await printUpdates(page);
  await printBusy(page);
} finally {
  await close();
  await samples.close();
}

function printSize(): void {
  const folder = fileURLToPath(new URL('../packages/server/dist/inspector/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => ({ name, gzip: gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length }));
  const first = sizes.filter(({ name }) => /^index/.test(name)).reduce((sum, { gzip }) => sum + gzip, 0);
  const all = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
  print('size gzipped', `${toKb(all)} in all (bound 150 kB), ${toKb(first)} before the first paint`);
}

/** The median of seven loads without a cache. */
async function printFirstPaint(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const paints: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    await page.reload();
    await page.locator('.row').first().waitFor();
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN));
  }
  print('first contentful paint', `${toMs(at(paints, 0.5))} median of 7 (bound 300 ms), slowest ${toMs(Math.max(...paints))}`);
}

/** From the answer of a call to its row on the page. */
async function printUpdates(page: Page): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const run = `run_update_${count}`;
    await callAdd(run);
    const answeredAt = performance.now();
    await page.waitForFunction((text) => document.querySelector('.row')?.textContent?.includes(text) === true, run, { polling: 'raf' });
    times.push(performance.now() - answeredAt);
  }
  print('a call is shown after', `${toMs(at(times, 0.5))} median of 20 (bound 500 ms), slowest ${toMs(Math.max(...times))}`);
}

/** How much of the time the main thread works while calls come in. */
async function printBusy(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await taskSeconds();
  const begunAt = performance.now();
  const sent: Promise<void>[] = [];
  const total = Math.round((perMinute / 60) * seconds);
  for (let count = 0; count < total; count += 1) {
    const dueAt = begunAt + (count * 60_000) / perMinute;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    sent.push(callAdd(`run_load_${count % 7}`));
  }
  await Promise.all(sent);
  const elapsed = (performance.now() - begunAt) / 1000;
  const busy = (await taskSeconds()) - before;
  print(`main thread at ${perMinute} calls a minute`, `${((100 * busy) / elapsed).toFixed(1)} % busy over ${elapsed.toFixed(0)} s`);
}

async function callAdd(runId: string): Promise<void> {
  const response = await fetch(`${samples.url}/v1/tools/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-run-id': runId },
    body: JSON.stringify({ a: Math.random(), b: 1 }),
  });
  await response.arrayBuffer();
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

function toKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function toMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(38)} ${value}`);
}
