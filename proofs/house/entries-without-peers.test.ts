import { expect, test } from 'vitest';
import { runNode } from '../fixtures/run-node.ts';
import { entries, packages, pathOf } from './own-packages.ts';

const files = entries.map(({ specifier, code }) => [specifier, pathOf(code)] as const);
const optional = Object.values(packages).flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta));

/** Imports every entry in a process where no optional peer can be resolved, and prints the message of each that fails. */
const program = `
  import { registerHooks } from 'node:module';
  const optional = ${JSON.stringify(optional)};
  registerHooks({
    resolve(specifier, context, next) {
      if (!optional.some((peer) => specifier === peer || specifier.startsWith(peer + '/'))) return next(specifier, context);
      throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
    },
  });
  const failed = {};
  for (const [name, file] of ${JSON.stringify(files)})
    await import(file).catch((error) => {
      failed[name] = error.message;
    });
  console.log(JSON.stringify(failed));
`;

test('every entry loads without any optional peer, and one that is about a peer says how to install it', async () => {
  expect(optional).toContain('@opentelemetry/api');
  const { stdout } = await runNode(['--input-type=module', '--eval', program], { cwd: process.cwd() });
  expect(JSON.parse(stdout)).toEqual({
    'toolpact/telemetry': 'toolpact/telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api',
  });
});
