import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { quietFrameworks } from './proofs/fixtures/quiet-frameworks.ts';
import { timesReporter } from './scripts/times-reporter.ts';
import tsconfig from './tsconfig.json' with { type: 'json' };

const peers = fileURLToPath(new URL('proofs/peers/package.json', import.meta.url));

/** Files that need a process of their own: OpenTelemetry keeps its providers in the process, and the first one that is set stays. */
const alone = [
  'packages/toolpact/test/telemetry/**/*.test.ts',
  'packages/toolpact/test/secrets/ways-out.test.ts',
  'packages/origins/test/001-*.test.ts',
  'packages/origins/test/004-runs.test.ts',
  'packages/server/test/trace.test.ts',
];

const fixture = (file: string): string => fileURLToPath(new URL(`proofs/fixtures/${file}`, import.meta.url));
/** One process runs many files, because to start one costs as much as most of them do. Each file gets modules of its own, packages are loaded once. */
const shared = { isolate: false, setupFiles: ['fresh-modules.ts', 'patience.ts'].map((file) => fixture(file)) };
/** Folders whose tests wait for other processes: begun last, they would leave the processor idle at the end. */
const waits = /\/proofs\/(?!house|fixtures)|\/(cli|restate|inspector)\/test\/|\/test\/(calls|stores)\//;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(({ moduleId }) => waits.test(moduleId)), ...sorted.filter(({ moduleId }) => !waits.test(moduleId))];
  }
}

/** Where the whole test command looks for the times of this run. */
const timesFile = process.env.TEST_TIMES;
const dependencies = ['**/node_modules/**'];

// One rule: tests beside the source, and those of the house, do without proofs/peers; all others may use what it installs (projects `peers` and
// `alone`, lane 2 of `npm test`).
export default defineConfig({
  plugins: [
    {
      // Packages and examples import public entries; their tests run on the source, not on what was built last.
      name: 'own-entries',
      enforce: 'pre',
      resolveId(source) {
        const file = (tsconfig.compilerOptions.paths as Record<string, readonly string[]>)[source]?.[0];
        return file === undefined ? null : fileURLToPath(new URL(file, import.meta.url));
      },
    },
    {
      // What only tests need lives in proofs/peers: bare imports that the package itself cannot resolve are looked up there.
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
    // The unit tests may run before proofs/peers is installed; a cache would keep that its packages were not found.
    fsModuleCache: false,
    // Together with proofs/fixtures/patience.ts: what a test waits for may come late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    env: quietFrameworks,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'proofs/house/*.test.ts', 'examples/**/*.test.ts'], ...shared },
      },
      {
        extends: true,
        test: {
          name: 'peers',
          include: ['packages/*/test/**/*.test.ts', 'proofs/!(house)/**/*.test.ts', 'proofs/*.test.ts'],
          exclude: [...dependencies, ...alone],
          hookTimeout: 120_000,
          ...shared,
        },
      },
      // Run by `npm run proof` only.
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['packages/*/test/**/*.proof.ts', 'proofs/**/*.proof.ts'],
          hookTimeout: 120_000,
          setupFiles: [fixture('patience.ts')],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, hookTimeout: 120_000, setupFiles: [fixture('patience.ts')] } },
    ],
  },
});
