// Makes the pictures of the inspector in docs/images again: npm run screenshots.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openChromium } from '../../../proofs/peers/open-chromium.ts';
import { serveSamples } from './serve-samples.ts';

const folder = new URL('../../../docs/images/', import.meta.url);
const sizes = { 1280: { width: 1280, height: 800 }, 390: { width: 390, height: 844 } } as const;

/** Each picture: opens its address and waits until everything is there. */
const pictures: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  calls: async (page, url) => {
    await page.goto(`${url}/inspector/#/calls`);
    await page.locator('.row', { hasText: 'of 25' }).waitFor();
  },
  call: async (page, url) => {
    await page.goto(`${url}/inspector/#/calls?tool=book_trip`);
    await page.locator('.row').first().click();
    await page.getByText('[error: unreachable]').first().waitFor();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    // Beside it all calls.
    const id = await page.locator('.row').first().getAttribute('data-id');
    await page.goto(`${url}/inspector/#/calls/${id}`);
    await page.locator('.row', { hasText: 'weather' }).first().waitFor({ state: 'attached' });
  },
  approvals: async (page, url) => {
    await page.goto(`${url}/inspector/#/approvals`);
    await page.locator('.card', { hasText: 'INV-7' }).waitFor();
  },
  health: async (page, url) => {
    await page.goto(`${url}/inspector/#/health`);
    await page.locator('canvas').first().waitFor();
  },
};

const samples = await serveSamples();
const { browser, close } = await openChromium();
try {
  for (const [width, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', deviceScaleFactor: 1 });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      for (const [name, show] of Object.entries(pictures)) {
        await page.goto('about:blank');
        await show(page, samples.url);
        await page.getByText('Live').first().waitFor({ state: 'attached' });
        // Two frames later everything is drawn.
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
        const file = new URL(`inspector-${name}-${width}-${colorScheme}.webp`, folder);
        const bytes = Buffer.from(data, 'base64');
        writeFileSync(file, bytes);
        console.log(`${fileURLToPath(file)} ${Math.round(bytes.length / 1024)} kB`);
      }
      await context.close();
    }
  }
} finally {
  await close();
  await samples.close();
}
