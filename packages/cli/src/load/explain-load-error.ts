import { relative } from 'node:path';
import { defaultRedactor } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { ownFrames } from './own-frames.ts';

/** Says what is wrong with a file that did not load, where, and how to mend it. */
export function explainLoadError(error: unknown, file: string, cwd: string): CliError {
  if (error instanceof CliError) return error;
  const { name, message, code, stack } = factsOf(error);
  const shown = relative(cwd, file) || file;
  const place = findPlace(stack, cwd);
  const what = `${name === 'Error' || name === '' ? '' : `${name}: `}${message}`;
  const at = place === undefined || what.includes(place) ? '' : `\n  at ${place}`;
  return new CliError(`${shown} did not load. ${what}${at}`, { fix: fixFor(code, message), cause: error });
}

function fixFor(code: string | undefined, message: string): string | undefined {
  if (code === 'ERR_MODULE_NOT_FOUND') {
    const name = /Cannot find package '([^']+)'/.exec(message)?.[1];
    if (name === undefined) return fixForMissingFile(message);
    // No package can have such a name, so it is a short form for a folder of the project.
    if (/^[@~#]\/|^[~#]/.test(`${name}/`)) return 'Add it to "paths" of the nearest tsconfig.json, or correct the path there.';
    return `npm install ${name}`;
  }
  if (/is not defined in ES module scope/.test(message)) return fixForCommonJs;
  if (/^Decorating class property failed/.test(message)) return 'Decorated fields need your own compiler: name the file that it writes.';
  return code === undefined ? undefined : fixes[code];
}

/** A package of the same workspace is there, but the file that it names is made by its build. */
function fixForMissingFile(message: string): string {
  const unbuilt = /Cannot find module '([^']+[/\\](?:dist|build|lib|out)[/\\][^']*)'/.exec(message)?.[1];
  return unbuilt === undefined
    ? 'Correct the path of the import; the file is not there.'
    : 'Build the package first, or let "exports" of its package.json name the source.';
}

const fixForCommonJs =
  'Write import.meta.dirname, import.meta.filename or import; or say "type": "commonjs" in package.json, which allows both ways in TypeScript.';

const fixes: Readonly<Record<string, string>> = {
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: 'Packages have to be JavaScript: build it, or move the file out of node_modules.',
  ERR_UNKNOWN_FILE_EXTENSION: 'Tools can be .ts, .mts, .js or .mjs files.',
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
