import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { defaultRedactor } from '../../../core/outcome/index.ts';
import { CliError } from '../cli-error.ts';
import { loadedFiles } from './loaded-files.ts';
import { ownFrames } from './own-frames.ts';

/** Says what is wrong with a file that did not load, where, and how to mend it. */
export function explainLoadError(error: unknown, file: string, cwd: string): CliError {
  if (error instanceof CliError) return error;
  const { name, message, code, stack } = factsOf(error);
  const shown = relative(cwd, file) || file;
  const place = findPlace(stack, cwd) ?? (name === 'SyntaxError' ? findSyntaxError(cwd) : undefined);
  const what = `${name === 'Error' || name === '' ? '' : `${name}: `}${message}`;
  const at = place === undefined || what.includes(place) ? '' : `\n  at ${place}`;
  return new CliError(`${shown} did not load. ${what}${at}`, { fix: fixFor(code, message), cause: error });
}

function fixFor(code: string | undefined, message: string): string | undefined {
  if (code === 'ERR_MODULE_NOT_FOUND') {
    const name = /Cannot find package '([^']+)'/.exec(message)?.[1];
    if (name !== undefined && /^[@~#]\/|^[~#]/.test(`${name}/`))
      return `Node does not read "paths" of tsconfig.json. Name such imports in "imports" of package.json (they begin with #), or run: NODE_OPTIONS='--import tsx' toolpact …`;
    if (name !== undefined) return `npm install ${name}`;
    return 'Correct the path of the import; the file is not there.';
  }
  if (message.startsWith('Cannot use import statement outside a module')) return fixes.ERR_COMMONJS;
  return code === undefined ? undefined : fixes[code];
}

const fixes: Readonly<Record<string, string>> = {
  ERR_COMMONJS: 'Say that your files are modules: npm pkg set type=module',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    'Node only takes the types away. Write it without enums, namespaces and parameter properties (`erasableSyntaxOnly` in tsconfig.json finds them).',
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: 'Packages have to be JavaScript: build it, or move the file out of node_modules.',
  ERR_UNKNOWN_FILE_EXTENSION: 'Tools can be .ts, .mts, .js or .mjs files.',
  ERR_IMPORT_ATTRIBUTE_MISSING: 'Tools can be .ts, .mts, .js or .mjs files.',
};

/** Reads an error that may be anything. */
function factsOf(error: unknown): { name: string; message: string; code: string | undefined; stack: string } {
  if (!(error instanceof Error))
    return { name: '', message: `It threw ${defaultRedactor.text(String(error))}`, code: undefined, stack: '' };
  const { code } = error as { code?: unknown };
  const message = defaultRedactor.text(error.message);
  return { name: error.name, message, code: typeof code === 'string' ? code : undefined, stack: error.stack ?? '' };
}

/** Finds the first line of the user's own in a stack. */
function findPlace(stack: string, cwd: string): string | undefined {
  return ownFrames(stack, cwd)[0]?.place.replace(/(:\d+):\d+$/, '$1');
}

/** Node does not report the place of a mistake in JavaScript, so each file is checked once more. */
function findSyntaxError(cwd: string): string | undefined {
  for (const file of loadedFiles()) {
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 });
    if (status !== 0) return findPlace(stderr, cwd);
  }
  return undefined;
}
