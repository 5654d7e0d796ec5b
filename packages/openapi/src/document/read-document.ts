import { ToolpactError } from 'toolpact';
import { isMap, type JsonMap } from './document-problem.ts';
import { toOpenApi3 } from './to-open-api-3.ts';

/** A description that was read, and which of the two families it belongs to. */
export interface ReadDocument {
  readonly root: JsonMap;
  /** 3.0 writes its schemas in a form of its own; 3.1 and later in JSON Schema. */
  readonly is30: boolean;
}

/**
 * Reads an OpenAPI 3 or Swagger 2 description: an object, or its text as JSON or YAML (which needs the package `yaml`). Throws for what
 * is no such description at all.
 */
export function readDocument(document: object | string): ReadDocument {
  const given: unknown = typeof document === 'string' ? parse(document) : document;
  if (!isMap(given)) {
    const hint = typeof given === 'string' ? ': give the text of a file or of an address, not its name' : '';
    throw new ToolpactError('invalid_argument', `this OpenAPI description is not an object${hint}`);
  }
  // YAML without quotes makes a number of it.
  const root = given.swagger === '2.0' || given.swagger === 2 ? toOpenApi3(given) : given;
  const version = typeof root.openapi === 'string' ? root.openapi : '';
  if (!/^3\.\d/.test(version)) {
    const found = typeof root.swagger === 'string' ? `Swagger ${root.swagger}` : version === '' ? 'no version' : `version ${version}`;
    throw new ToolpactError('invalid_argument', `OpenAPI 3.0 or 3.1, or Swagger 2.0, is needed, and this description states ${found}`);
  }
  if (!isMap(root.paths) && !isMap(root.webhooks) && !isMap(root.components))
    throw new ToolpactError('invalid_argument', 'this OpenAPI description has no paths, so there is nothing to make tools of');
  return { root, is30: version.startsWith('3.0') };
}

function parse(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (thrown) {
      throw new ToolpactError(
        'invalid_argument',
        `this OpenAPI description is not valid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
  }
  // Aliases are bounded, so that a small text cannot become an endless document.
  return loadYaml().parse(text, { maxAliasCount: 1000 });
}

function loadYaml(): { readonly parse: (text: string, options: object) => unknown } {
  try {
    // Asked for at run time, so that a caller with objects needs neither the package nor Node.
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('yaml');
  } catch {
    throw new ToolpactError(
      'missing_package',
      'reading a YAML description needs the package "yaml": install it, or give the description as JSON or as an object',
    );
  }
}
