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

/** Bundles a file for browsers and measures what is loaded at once: the entry and what it imports, without what `import()` loads later. */
export async function firstLoad(entry: string): Promise<{ readonly bytes: number; readonly gzipBytes: number }> {
  const build = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const names = new Set([output[0].fileName]);
  for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported);
  const codes = [...names].map((name) => chunks.get(name)?.code ?? '');
  return {
    bytes: codes.reduce((sum, code) => sum + Buffer.byteLength(code), 0),
    gzipBytes: codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0),
  };
}
