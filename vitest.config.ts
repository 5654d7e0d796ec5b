import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import packageJson from './package.json' with { type: 'json' };
import { timesReporter } from './scripts/times-reporter.ts';
import { quietFrameworks } from './test/quiet-frameworks.ts';

const peers = fileURLToPath(new URL('test/peers/package.json', import.meta.url));

/** Files that need a process of their own: OpenTelemetry keeps its providers in the process, and the first one that is set stays. */
const alone = ['test/telemetry/**/*.test.ts', 'test/origins/001-*.test.ts', 'test/origins/004-runs.test.ts', 'test/server/trace.test.ts'];

const inTest = (file: string): string => fileURLToPath(new URL(`test/${file}`, import.meta.url));
/** One process runs many files, because to start one costs as much as most of them do. Each file gets modules of its own, packages are loaded once. */
const shared = { isolate: false, setupFiles: ['fresh-modules.ts', 'patience.ts'].map((file) => inTest(file)) };
/** Folders whose tests wait for other processes: begun last, they would leave the processor idle at the end. */
const waits = /\/test\/(calls|cli|crash|docs|engines|fleet|inspector|mcp-conformance|proof|stores)\//;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(({ moduleId }) => waits.test(moduleId)), ...sorted.filter(({ moduleId }) => !waits.test(moduleId))];
  }
}

/** Where the whole test command looks for the times of this run. */
const timesFile = process.env.TEST_TIMES;
const dependencies = ['**/node_modules/**'];

// One rule: a test in a sub-folder of test/ may use what test/peers installs (projects `peers` and `alone`, lane 2 of `npm test`); every other
// test may not.
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
    exclude: dependencies,
    sequence: { sequencer: WaitingFirst },
    reporters: ['default', ...(timesFile === undefined ? [] : [timesReporter(timesFile)])],
    // The unit tests may run before test/peers is installed; a cache would keep that its packages were not found.
    fsModuleCache: false,
    // Together with test/patience.ts: what a test waits for may come late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    env: quietFrameworks,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', 'test/*.test.ts', 'examples/**/*.test.ts'], ...shared } },
      {
        extends: true,
        test: { name: 'peers', include: ['test/*/**/*.test.ts'], exclude: [...dependencies, ...alone], hookTimeout: 120_000, ...shared },
      },
      // Run by `npm run proof` only.
      {
        extends: true,
        test: { name: 'proof', include: ['test/*/**/*.proof.ts'], hookTimeout: 120_000, setupFiles: [inTest('patience.ts')] },
      },
      { extends: true, test: { name: 'alone', include: alone, hookTimeout: 120_000, setupFiles: [inTest('patience.ts')] } },
    ],
  },
});
