// Bundles the inspector into dist/inspector: one page, its script, its style and its icon, all with relative addresses.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run-step.mjs';

await build({
  configFile: false,
  logLevel: 'warn',
  root: join(root, 'packages/inspector/src'),
  // The page also works below a path prefix.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(root, 'dist/inspector'),
    emptyOutDir: true,
    target: 'es2024',
    // Data addresses would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
