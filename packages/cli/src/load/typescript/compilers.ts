import { createRequire, stripTypeScriptTypes } from 'node:module';
import type { TsConfigJson } from 'get-tsconfig';

/** One file to be compiled. */
interface Task {
  readonly code: string;
  readonly file: string;
  readonly options: TsConfigJson.CompilerOptions;
}

/** Makes JavaScript with an inline source map. */
type Compile = (task: Task) => string;

/**
 * Gives a compiler for files that have more than types: esbuild or TypeScript where the project has one of them. Undefined if it has neither;
 * Node then compiles enums, namespaces and parameter properties by itself, up to version 25.
 */
export function findCompiler(file: string, hasMore: boolean): Compile | undefined {
  const find = createRequire(file);
  return (
    withEsbuild(load('esbuild', find) ?? load('esbuild', requireOf('tsx', find))) ??
    withTypeScript(load('typescript', find)) ??
    (hasMore ? undefined : withNode())
  );
}

interface EsbuildProblem {
  readonly text: string;
  readonly location: { readonly line: number; readonly column: number } | null;
}

function withEsbuild(found: unknown): Compile | undefined {
  const { transformSync } = (found ?? {}) as { transformSync?: (code: string, options: object) => { readonly code: string } };
  if (typeof transformSync !== 'function') return undefined;
  return ({ code, file, options }) => {
    try {
      return transformSync(code, {
        loader: file.endsWith('x') ? 'tsx' : 'ts',
        sourcefile: file,
        sourcemap: 'inline',
        target: 'node22',
        tsconfigRaw: { compilerOptions: options },
      }).code;
    } catch (error) {
      const [problem] = (error as { readonly errors?: readonly EsbuildProblem[] }).errors ?? [];
      if (problem?.location == null) throw error;
      throw mistakeAt(problem.text, `${file}:${problem.location.line}:${problem.location.column + 1}`);
    }
  };
}

interface TypeScript {
  readonly transpileModule: (code: string, options: object) => { readonly outputText: string };
  /** `transpileModule` takes numbers for what tsconfig.json calls by name. */
  readonly convertCompilerOptionsFromJson: (json: object, base: string) => { readonly options: object };
}

const keptOptions = ['experimentalDecorators', 'emitDecoratorMetadata', 'useDefineForClassFields', 'jsx', 'jsxImportSource', 'jsxFactory'];

/** TypeScript 7 is a native program without this function. */
function withTypeScript(found: unknown): Compile | undefined {
  const { transpileModule, convertCompilerOptionsFromJson } = (found ?? {}) as Partial<TypeScript>;
  if (transpileModule === undefined || convertCompilerOptionsFromJson === undefined) return undefined;
  return ({ code, file, options }) => {
    const kept = Object.fromEntries(Object.entries(options).filter(([name]) => keptOptions.includes(name)));
    const json = { ...kept, target: 'es2022', module: 'esnext', inlineSourceMap: true, inlineSources: true };
    const { options: compilerOptions } = convertCompilerOptionsFromJson(json, '.');
    return transpileModule(code, { fileName: file, compilerOptions }).outputText;
  };
}

function withNode(): Compile | undefined {
  try {
    stripTypeScriptTypes('', { mode: 'transform' });
  } catch {
    return undefined;
  }
  return ({ code, file }) => stripTypeScriptTypes(code, { mode: 'transform', sourceMap: true, sourceUrl: file });
}

/** Makes an error whose stack begins with the place, as Node's own about a syntax error does. */
function mistakeAt(message: string, place: string): SyntaxError {
  const mistake = new SyntaxError(message);
  mistake.stack = `${place}\n\nSyntaxError: ${message}`;
  return mistake;
}

function load(name: string, find: NodeJS.Require | undefined): unknown {
  try {
    return find?.(name);
  } catch {
    return undefined;
  }
}

function requireOf(name: string, find: NodeJS.Require): NodeJS.Require | undefined {
  try {
    return createRequire(find.resolve(name));
  } catch {
    return undefined;
  }
}
