import type { AuthorCase, StoredThrow } from './author-errors.ts';

/**
 * Writes the source of an application in which every case is thrown at a line of its own: it exports a list of functions that throw.
 * Errors of the Model Context Protocol keep their class, as they come from a dependency; all others are the application's own.
 */
export function writeApplication(cases: readonly AuthorCase[]): string {
  const classes = new Map<string, string>();
  for (const { error } of cases) collectClasses(error, classes);
  const sites = cases.map(({ error, message }) => `  () => {\n    throw ${expressionOf(error, message)};\n  },`);
  return `${[...classes.values()].join('\n')}\n\nexport const sites = [\n${sites.join('\n')}\n];\n`;
}

const builtIns = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError']);

/** A class name may stand for several classes: with and without a name of its own, with and without `Error` above it. */
function keyOf({ class: className, name, notAnError }: StoredThrow): string {
  return [className, name, notAnError ? 'plain' : undefined].filter((part) => part !== undefined).join('_');
}

function collectClasses(error: StoredThrow, classes: Map<string, string>): void {
  const { class: className, name, notAnError, cause } = error;
  if (cause !== undefined && cause.response === undefined) collectClasses(cause, classes);
  if (builtIns.has(className)) return;
  const above = notAnError ? '' : 'extends Error ';
  const body = [
    notAnError ? '' : 'super(message, options);',
    name === undefined ? '' : `this.name = ${JSON.stringify(name)};`,
    'Object.assign(this, fields);',
  ].join(' ');
  classes.set(keyOf(error), `class ${keyOf(error)} ${above}{ constructor(message, fields, options) { ${body} } }`);
}

function expressionOf(error: StoredThrow, message: string): string {
  const { class: className, fields = {}, cause } = error;
  const inner =
    cause &&
    (cause.response === undefined ? expressionOf(cause, cause.message ?? '') : `new Response(null, { status: ${cause.response} })`);
  const options = inner === undefined ? '{}' : `{ cause: ${inner} }`;
  if (!builtIns.has(className)) return `new ${keyOf(error)}(${JSON.stringify(message)}, ${JSON.stringify(fields)}, ${options})`;
  const plain = `new ${className}(${JSON.stringify(message)}, ${options})`;
  return Object.keys(fields).length === 0 ? plain : `Object.assign(${plain}, ${JSON.stringify(fields)})`;
}
