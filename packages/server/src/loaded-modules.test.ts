import { expect, test } from 'vitest';
import { runNode } from '../../../proofs/fixtures/run-node.ts';

const source = new URL('../../../scripts/resolve-source.ts', import.meta.url).href;

test('loading a server loads no guard but the one that contains strays: an application loads those that it uses', async () => {
  const load = `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)});
    console.log(JSON.stringify(loaded.flatMap((url) => /toolpact\\/src\\/(guards\\/.+)/.exec(url)?.[1] ?? [])));`;
  const { stdout } = await runNode(['--disable-warning=ExperimentalWarning', '--import', source, '--input-type=module', '-e', load], {
    cwd: process.cwd(),
  });
  expect(JSON.parse(stdout)).toEqual(['guards/contain-strays.ts']);
});
