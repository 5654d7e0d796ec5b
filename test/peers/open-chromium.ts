import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Playwright from 'playwright-core';

// Looked up here in test/peers, so that scripts and benchmarks find it too.
const require = createRequire(new URL('package.json', import.meta.url));
const { chromium } = require('playwright-core') as typeof Playwright;

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

/** A browser of one run's own, and how to be rid of it. */
export interface OpenChromium {
  readonly browser: Playwright.Browser;
  readonly close: () => Promise<void>;
}

/** Starts a Chromium: an installed one, or the one that npm brought, unpacked into a folder of this run's own. */
export async function openChromium(): Promise<OpenChromium> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-chromium-'));
  const found = installed.find((candidate) => candidate && existsSync(candidate));
  const browser = await chromium.launch({ executablePath: found ?? (await unpack(folder)), args: flags });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The package unpacks into the folder for temporary files, where two runs would disturb each other. */
async function unpack(folder: string): Promise<string> {
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = folder;
  try {
    const { default: packed } = (await import(pathToFileURL(require.resolve('@sparticuz/chromium')).href)) as {
      default: { executablePath(): Promise<string> };
    };
    return await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
