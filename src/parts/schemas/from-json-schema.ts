import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { StandardSchemaV1 } from '../../core/contract/index.ts';
import type { JsonObject } from '../../core/outcome/index.ts';
import { compilePattern } from './compile-pattern.ts';
import { toDraft2020 } from './to-draft-2020.ts';
import { toIssues } from './to-issues.ts';

/** A JSON Schema as people have it: imported, written in place, or received. */
export type JsonSchemaSource = Readonly<Record<string, unknown>>;

/**
 * Makes a JSON Schema a Standard Schema, so that it can describe a tool's input or output. Drafts 2020-12 (assumed), 2019-09, 07 and 06 are
 * understood; unknown keywords and formats are left alone, and defaults are not filled in. A schema that cannot be checked safely (a
 * reference that leads nowhere, a pattern that can take forever) throws here and now.
 *
 * @example
 * defineTool({ name: 'greet', description: 'Greets.', input: fromJsonSchema<{ name: string }>(schema), run: ({ name }) => `Hello ${name}` });
 */
export function fromJsonSchema<TValue = Record<string, unknown>>(schema: JsonSchemaSource): StandardSchemaV1<TValue, TValue> {
  const { check, source } = compile(schema);
  const exported = (): Record<string, unknown> => structuredClone(source);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      validate: (value) => {
        try {
          if (check(value)) return { value: value as TValue };
          return { issues: toIssues(check.errors ?? [], value) };
        } catch {
          // A value or a recursion without end: refused like any other value that does not fit.
          return { issues: [{ message: 'cannot be checked: it is nested too deeply or cannot be read' }] };
        }
      },
      jsonSchema: { input: exported, output: exported },
    },
  };
}

type Dialect = 'draft-2020-12' | 'draft-2019-09' | 'draft-07';

const settings = {
  strict: false,
  // NaN and the infinities are no JSON.
  strictNumbers: true,
  // What every object inherits was not sent.
  ownProperties: true,
  allErrors: true,
  validateFormats: false,
  logger: false,
  code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
} as const;
const makers: Record<Dialect, () => Ajv> = {
  'draft-2020-12': () => new Ajv2020(settings),
  'draft-2019-09': () => new Ajv2019(settings),
  'draft-07': () => new Ajv(settings),
};
const validators = new Map<Dialect, Ajv>();

function compile(given: JsonSchemaSource): { check: ValidateFunction; source: JsonObject } {
  const { $schema, $async: _, ...schema } = copy(given);
  const problems: string[] = [];
  for (const dialect of dialectsOf($schema)) {
    try {
      const check = compileIn(dialect, schema);
      return { check, source: dialect === 'draft-07' ? toDraft2020(schema) : schema };
    } catch (thrown) {
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new TypeError(`this JSON Schema cannot be used: ${problems[0]}`);
}

/** A schema of its own for each tool: nobody can change it later, and nothing in it runs. */
function copy(schema: JsonSchemaSource): Record<string, never> {
  let copied: unknown;
  try {
    copied = JSON.parse(JSON.stringify(schema));
  } catch {
    // Told below.
  }
  if (typeof copied === 'object' && copied !== null && !Array.isArray(copied)) return copied as Record<string, never>;
  throw new TypeError('this JSON Schema cannot be used: it is not a JSON object');
}

/** Without a word about its draft a schema is read as the latest, or as draft 07, which many generators still write. */
function dialectsOf(stated: unknown): readonly Dialect[] {
  const text = typeof stated === 'string' ? stated : '';
  if (/draft-0[67]/.test(text)) return ['draft-07'];
  if (text.includes('2019-09')) return ['draft-2019-09'];
  return ['draft-2020-12', 'draft-07'];
}

function compileIn(dialect: Dialect, schema: JsonObject): ValidateFunction {
  const validator = validators.get(dialect) ?? makers[dialect]();
  validators.set(dialect, validator);
  try {
    return validator.compile(schema);
  } finally {
    // The validator keeps every schema it has seen; tools that come and go must not fill the memory.
    validator.removeSchema(schema);
  }
}
