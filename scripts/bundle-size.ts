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
    // Code that `import()` would load later is in the same file here.
    externals: [...chunk.imports, ...chunk.dynamicImports].filter((file) => file !== chunk.fileName),
    bytes: Buffer.byteLength(chunk.code),
    gzipBytes: gzipSync(chunk.code, { level: 9 }).length,
  };
}

/** The first load of a file in a browser, and the modules that `import()` loads later. */
export interface FirstLoad {
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly modules: readonly string[];
  readonly laterModules: readonly string[];
}

/** Bundles a file for browsers and measures what is loaded at once: the entry and what it imports, without what `import()` loads later. */
export async function firstLoad(entry: string): Promise<FirstLoad> {
  const build = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const names = new Set([output[0].fileName]);
  for (const name of names) for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(imported);
  const [atOnce, later] = [chunks.filter(({ fileName }) => names.has(fileName)), chunks.filter(({ fileName }) => !names.has(fileName))];
  return {
    bytes: atOnce.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0),
    gzipBytes: atOnce.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
    modules: atOnce.flatMap(({ moduleIds }) => moduleIds),
    laterModules: later.flatMap(({ moduleIds }) => moduleIds),
  };
}
