// The packages that npm gets, in the order in which they can be published: each after those that it depends on.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-step.mjs';

/** Lists the packages with their folder, seen from the root, and what their package.json says. */
export function publicPackages() {
  const all = readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private);
  const ordered = [];
  while (ordered.length < all.length) {
    const isDone = (name) => !all.some(({ manifest }) => manifest.name === name) || ordered.some(({ manifest }) => manifest.name === name);
    const next = all.find((one) => !ordered.includes(one) && Object.keys(one.manifest.dependencies ?? {}).every(isDone));
    if (next === undefined) throw new Error('The packages depend on each other in a circle.');
    ordered.push(next);
  }
  return ordered;
}
