import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Playwright from 'playwright-core';

// Looked up here in proofs/peers, so that scripts and benchmarks find it too.
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

/** Starts a Chromium: an installed one, or the one that npm brought. */
export async function openChromium(): Promise<OpenChromium> {
  const folder = mkdtempSync(join(process.env.TEST_SHARED ?? tmpdir(), 'toolpact-chromium-'));
  const browser = await chromium.launch({ executablePath: await findChromium(folder), args: flags });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the path of a Chromium: an installed one, or the one that npm brought, which is unpacked into the folder. */
export async function findChromium(folder: string): Promise<string> {
  return installed.find((candidate) => candidate !== undefined && existsSync(candidate)) ?? unpackOnce(folder);
}

/** Unpacks into the folder, or takes what another test of the whole command has unpacked: that takes seconds of work. */
async function unpackOnce(folder: string): Promise<string> {
  if (process.env.TEST_SHARED === undefined) return unpack(folder);
  const kept = join(process.env.TEST_SHARED, 'chromium');
  if (!existsSync(kept)) {
    await unpack(folder);
    try {
      renameSync(folder, kept);
    } catch {
      // Another process was faster.
    }
  }
  return unpack(kept);
}

/** The package unpacks into the folder for temporary files, where two runs would disturb each other. It takes what lies there already. */
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
