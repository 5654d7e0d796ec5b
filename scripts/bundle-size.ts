import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** One minified file for browsers, and what is worth knowing about it. */
export interface Bundle {
  readonly code: string;
  /** Modules it still imports; none means that it runs anywhere as it is. */
  readonly externals: readonly string[];
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** Bundles a file and all it imports into one minified module for browsers. `alias` replaces import names by files. */
export async function bundle(entry: string, alias: Readonly<Record<string, string>> = {}): Promise<Bundle> {
  const build = await rolldown({ input: entry, platform: 'browser', resolve: { alias: { ...alias } }, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  const [chunk] = output;
  return {
    code: chunk.code,
    externals: [...chunk.imports, ...chunk.dynamicImports],
    bytes: Buffer.byteLength(chunk.code),
    gzipBytes: gzipSync(chunk.code, { level: 9 }).length,
  };
}
