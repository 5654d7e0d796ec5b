import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle-size.ts';
import type { Finding } from './finding.ts';

/** Bundles the whole `toolpact` entry, all exports kept, as it is published. */
export async function measureSize(): Promise<Finding[]> {
  const { gzipBytes, bytes, externals } = await bundle(fileURLToPath(import.meta.resolve('toolpact')));
  return [
    {
      name: 'size of `toolpact`, all exports, minified and gzipped',
      found: `${(gzipBytes / 1000).toFixed(2)} kB (${(bytes / 1000).toFixed(1)} kB before gzip)`,
    },
    {
      name: 'imports left in that bundle, `node:` or other',
      found: externals.join(', ') || 'none',
      target: 'none',
      met: externals.length === 0,
    },
  ];
}
