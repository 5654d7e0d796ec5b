import { readFileSync } from 'node:fs';

const tsconfig = JSON.parse(readFileSync(new URL('tsconfig.json', import.meta.url), 'utf8')) as {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
};

/** The files that the entries of a package are made from: package.json names what is built from them. */
const entriesOf = (folder: string): string[] =>
  Object.values(tsconfig.compilerOptions.paths).flatMap(([file]) =>
    file.startsWith(`./packages/${folder}/`) ? [file.slice(`./packages/${folder}/`.length)] : [],
  );

const tests = ['src/**/*.{test,test-d}.ts', 'test/**/*.{test,proof,test-d}.ts'];
const library = (folder: string, ...more: readonly string[]) => ({
  entry: [...entriesOf(folder), ...more, ...tests],
  project: ['src/**/*.{ts,tsx}'],
});

export default {
  workspaces: {
    '.': {
      entry: [
        'scripts/{write-docs,openapi-report,field-report,report,test-stalled,resolve-source}.ts',
        'scripts/{build,pack}.mjs',
        'bench/{rivals,run,inspector,telemetry,guards,durable,recall}.ts',
        'examples/**/*.ts',
        'proofs/**/*.{test,proof,test-d}.ts',
        // Programs: what `npm run proof` and other tasks start, and what they start in turn.
        'proofs/**/{prove,write,print}-*.ts',
        'proofs/**/*-{worker,member,child}.ts',
        'proofs/{load/hostile-server,simulation/simulate,crash/live-once,battery/run-host,kill/run-host,peers/browser-page,mcp-conformance/main}.ts',
        'proofs/{battery/hosts,kill/hosts,runtimes}/*.ts',
        'proofs/skills/tasks/*/*.{ts,mjs}',
      ],
      project: ['scripts/**/*.{mjs,ts}', 'bench/**/*.ts', 'proofs/**/*.ts'],
    },
    'packages/toolpact': library('toolpact', 'src/client-base.ts'),
    'packages/server': library('server'),
    'packages/inspector': library('inspector', 'src/main.tsx', 'test/write-screenshots.ts'),
    'packages/cli': library('cli', 'src/main.ts'),
    'packages/testing': library('testing'),
    'packages/openapi': library('openapi'),
    'packages/restate': library('restate'),
    'packages/origins': library('origins'),
  },
  include: ['files', 'exports', 'types', 'duplicates'],
  ignoreExportsUsedInFile: { interface: true, type: true },
};
