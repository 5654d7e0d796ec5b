import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };

const peers = fileURLToPath(new URL('test/peers/package.json', import.meta.url));

/** Tests of these folders keep nothing open and leave nothing behind, so that one process can run them all: to start one for each costs as much as they do. */
const pure = [
  'src/core',
  'src/apps/inspector',
  'src/edges/adapters',
  'src/edges/client',
  'src/edges/packs',
  'src/parts/history',
  'src/parts/schemas',
  'src/parts/sessions',
  'src/parts/telemetry',
].map((folder) => `${folder}/**/*.test.ts`);
/** The whole test command runs the unit tests in two parts, `pure` and `rest`; otherwise all run, each in a process of its own. */
const part = process.env.TEST_PART;
const unit = part === 'pure' ? pure : ['src/**/*.test.ts', 'test/*.test.ts', 'examples/**/*.test.ts'];

// One rule: a test in a sub-folder of test/ may use what test/peers installs (project `peers`, lane 2 of `npm test`); every other test may not.
export default defineConfig({
  plugins: [
    {
      // Examples import the public entries; their tests run on the source, not on what was built last.
      name: 'own-entries',
      enforce: 'pre',
      resolveId(source) {
        const entry = source === 'toolpact' ? '.' : source.replace(/^toolpact\//, './');
        const target = entry === source ? undefined : (packageJson.exports as Record<string, string | { default: string }>)[entry];
        if (typeof target !== 'object') return null;
        return fileURLToPath(new URL(target.default.replace(/^\.\/dist\/(.+)\.js$/, 'src/$1.ts'), import.meta.url));
      },
    },
    {
      // What only tests need lives in test/peers: bare imports that the package itself cannot resolve are looked up there.
      name: 'peers',
      // Before Vite's own: it would answer optional peers with a stub.
      enforce: 'pre',
      async resolveId(source, importer, options) {
        if (importer === peers || !/^(?!node:)[@\w]/.test(source)) return null;
        const own = await this.resolve(source, importer, { ...options, skipSelf: true });
        return own !== null && !own.id.includes('__vite-optional-peer-dep')
          ? own
          : this.resolve(source, peers, { ...options, skipSelf: true });
      },
    },
  ],
  test: {
    exclude: ['**/node_modules/**'],
    // The unit tests may run before test/peers is installed; a cache would keep that its packages were not found.
    fsModuleCache: false,
    // Together with test/patience.ts: what a test waits for may come late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: [fileURLToPath(new URL('test/patience.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          exclude: ['**/node_modules/**', ...(part === 'rest' ? pure : [])],
          isolate: part !== 'pure',
          testTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'peers', include: ['test/*/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 } },
    ],
  },
});
