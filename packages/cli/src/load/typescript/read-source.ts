import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { findCompiler } from './compilers.ts';
import { compilerOptionsOf } from './tsconfig.ts';

/** JavaScript that Node can run. */
interface ReadSource {
  readonly format: 'module' | 'commonjs';
  readonly source: string;
}

/** How a file is asked for. */
interface Asked {
  readonly isRequired: boolean;
  /** Whether the import says what the file is, as `with { type: 'json' }` does. */
  readonly hasAttribute: boolean;
}

/** Reads a user's file as a module that Node can run; undefined if Node has to read it by itself. Notes files for which a compiler is missing. */
export function readSource(url: string, { isRequired, hasAttribute }: Asked, uncompiled: Set<string>): ReadSource | undefined {
  const file = fileURLToPath(url);
  if (file.endsWith('.json')) return isRequired || hasAttribute ? undefined : { format: 'module', source: jsonModule(file) };
  if (!/\.([mc]?ts|[jt]sx)$/.test(file)) return undefined;
  const code = readFileSync(file, 'utf8');
  const source = compile(code, file, uncompiled);
  if (source === undefined) return undefined;
  const isCommonJs = isOfCommonJs(file);
  if (isCommonJs && canBeCommonJs(source)) return { format: 'commonjs', source };
  return { format: 'module', source: isCommonJs ? withCommonJsNames(source) : source };
}

/** Takes the types away; compiles what has more than types. Undefined if Node has to say what is wrong. */
function compile(code: string, file: string, uncompiled: Set<string>): string | undefined {
  const stripped = file.endsWith('x') ? undefined : strip(code);
  const hasDecorators = /^\s*@[A-Za-z_$]/m.test(code);
  if (stripped !== undefined && !hasDecorators) return stripped;
  const compiler = findCompiler(file, hasDecorators || file.endsWith('x'));
  if (compiler === undefined) {
    uncompiled.add(file);
    return stripped;
  }
  const compiled = compiler({ code, file, options: compilerOptionsOf(file) });
  process.setSourceMapsEnabled(true);
  return compiled;
}

/** Replaces types by spaces, so that lines and columns stay. */
function strip(code: string): string | undefined {
  try {
    return stripTypeScriptTypes(code);
  } catch {
    return undefined;
  }
}

/** Checks whether a file belongs to a package that says it is CommonJS, or says nothing. */
function isOfCommonJs(file: string): boolean {
  if (/\.[mc]ts$/.test(file)) return file.endsWith('.cts');
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly type?: unknown }).type !== 'module';
    } catch {
      if (folder === dirname(folder)) return true;
    }
  }
}

const commonJsNames = ['exports', 'require', 'module', '__filename', '__dirname'];

/** `import`, `export`, `import.meta` and `await` at the top do not parse in CommonJS. */
function canBeCommonJs(source: string): boolean {
  try {
    compileFunction(source.replace(/^#!.*/, ''), commonJsNames);
    return true;
  } catch {
    return false;
  }
}

/**
 * Files of CommonJS packages are written with `import` and compiled to `require`, so they may use the names that CommonJS gives. They are
 * added to the first line, so that no line moves.
 */
function withCommonJsNames(source: string): string {
  const values: Readonly<Record<string, string>> = {
    __filename: 'import.meta.filename',
    __dirname: 'import.meta.dirname',
    require: "process.getBuiltinModule('node:module').createRequire(import.meta.url)",
    module: '{ exports: {} }',
  };
  const used = Object.entries(values).filter(
    ([name]) =>
      new RegExp(`(?<![.\\w$])${name}(?![\\w$])`).test(source) && !new RegExp(`\\b(const|let|var|function)\\s+${name}\\b`).test(source),
  );
  if (used.length === 0) return source;
  const line = `const ${used.map(([name, value]) => `${name} = ${value}`).join(', ')};`;
  return source.replace(/^(#!.*\r?\n)?/, (start) => `${start}${line}`);
}

/** Bundlers give the fields of a JSON file as exports too. */
function jsonModule(file: string): string {
  const text = readFileSync(file, 'utf8');
  const value: unknown = JSON.parse(text);
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const exported = names.map(
    (name, index) => `const v${index} = value[${JSON.stringify(name)}]; export { v${index} as ${JSON.stringify(name)} };`,
  );
  return `const value = ${JSON.stringify(value)}; export default value; ${exported.filter((_, index) => names[index] !== 'default').join(' ')}`;
}
