// Makes few files of the many in dist, for the tests that start the command line hundreds of times: to find and read its 430 modules takes more
// work than most commands do. The files hold the same code; what looks for its neighbours by its address finds those of dist.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './run-step.mjs';

/** As if it were installed: the command line tells the files of packages from those of its user. */
const folder = join(root, '.cache/bundled/node_modules/toolpact');

/** What programs of tests import besides the entries of the package. */
const more = ['apps/cli/main', 'apps/cli/run-cli', 'core/contract/public', 'parts/engines/index', 'parts/guards/index'];

const { exports, type, sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default ?? '')?.[1] ?? []);

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries([...entries, ...more].map((name) => [name, join(root, 'dist', `${name}.js`)])),
  platform: 'node',
  external: /^[^./]/,
  treeshake: false,
  plugins: [
    {
      name: 'own-addresses',
      transform(code, id) {
        return code.includes('import.meta.url') ? { code: withAddress(code, this.parse(code), pathToFileURL(id).href) } : null;
      },
    },
  ],
});
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' });
await bundle.close();
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type, sideEffects }));
console.log(folder);

/** Replaces `import.meta.url` where it is code; there are texts that hold it, too. */
function withAddress(code, tree, address) {
  const found = [];
  const look = (node) => {
    if (node?.type === 'MemberExpression' && node.object.type === 'MetaProperty' && node.property.name === 'url') found.push(node);
    if (typeof node === 'object' && node !== null) for (const part of Object.values(node)) look(part);
  };
  look(tree.body);
  return found.reduceRight((text, { start, end }) => text.slice(0, start) + JSON.stringify(address) + text.slice(end), code);
}
