import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonObject, type StandardSchemaV1, ToolpactError } from 'toolpact';
import { isObject, isRecord, refuseOptions } from 'toolpact/internal';
import { compilePattern } from './compile-pattern.ts';
import { addCounting, countSchemaWork } from './count-schema-work.ts';
import { TooMuchWork, withinBudget } from './spend-work.ts';
import { toDraft2020 } from './to-draft-2020.ts';
import { toIssues } from './to-issues.ts';

/** A JSON Schema as people have it: imported, written in place, or received. */
export type JsonSchemaSource = Readonly<Record<string, unknown>>;

/** Bounds what a schema may cost. */
export interface JsonSchemaOptions {
  /** How many schemas it may consist of; more of them take longer to compile. Use about 1,000 for a schema that someone else wrote. Default: 20,000. */
  readonly maxParts?: number | undefined;
}

/**
 * Turns a JSON Schema into a Standard Schema, so that it can describe a tool's input or output. Drafts 2020-12 (assumed), 2019-09, 07 and 06 are
 * understood; unknown keywords and formats are left alone, and defaults are not filled in. A schema that cannot be checked safely (a
 * reference that leads nowhere, a pattern that RE2 cannot run) throws here; a value that would cost too much to check is refused.
 *
 * @example
 * defineTool({ name: 'greet', description: 'Greets.', input: fromJsonSchema<{ name: string }>(schema), run: ({ name }) => `Hello ${name}` });
 */
export function fromJsonSchema<TValue = Record<string, unknown>>(
  schema: JsonSchemaSource,
  options: JsonSchemaOptions = {},
): StandardSchemaV1<NoInfer<TValue>, NoInfer<TValue>> {
  refuseOptions<JsonSchemaOptions>('fromJsonSchema', options, { maxParts: true });
  const { maxParts = 20_000 } = options;
  const { check, checkAll, source } = compile(schema, maxParts);
  const exported = (): Record<string, unknown> => structuredClone(source);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      validate: (value) => {
        try {
          if (withinBudget(() => check(value))) return { value: value as TValue };
          return { issues: toIssues(errorsOf(check, checkAll, value), value) };
        } catch (thrown) {
          // A value or a recursion without end: refused like any other value that does not fit.
          const why = thrown instanceof TooMuchWork ? 'that would cost too much' : 'it is nested too deeply or cannot be read';
          return { issues: [{ message: `cannot be checked: ${why}` }] };
        }
      },
      jsonSchema: { input: exported, output: exported },
    },
  };
}

/** Beyond this many values a caller gets the first mistake alone: a list of all would be longer than the value. */
const maxValues = 2_000;

/** Finds everything that is wrong with a value, if that does not cost much more than to find the first mistake. */
function errorsOf(check: ValidateFunction, checkAll: () => ValidateFunction, value: unknown): readonly ErrorObject[] {
  const first = check.errors ?? [];
  if (!hasAtMost(value, maxValues)) return first;
  try {
    const all = checkAll();
    withinBudget(() => all(value), true);
    return all.errors ?? first;
  } catch {
    return first;
  }
}

function hasAtMost(value: unknown, most: number): boolean {
  const waiting = [value];
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count + waiting.length > most) return false;
    const next = waiting.pop();
    if (!isObject(next)) continue;
    let width = 0;
    for (const name in next) {
      width += 1;
      if (width > most) return false;
      waiting.push((next as Record<string, unknown>)[name]);
    }
  }
  return true;
}

type Dialect = 'draft-2020-12' | 'draft-2019-09' | 'draft-07';

const settings = {
  strict: false,
  // NaN and the infinities are no JSON.
  strictNumbers: true,
  // Inherited properties were not sent, so they do not count.
  ownProperties: true,
  validateFormats: false,
  logger: false,
  // A large definition that many refer to is compiled once, not written out at every place.
  inlineRefs: 20,
  code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
} as const;
const makers: Record<Dialect, (allErrors: boolean) => Ajv> = {
  'draft-2020-12': (allErrors) => new Ajv2020({ ...settings, allErrors }),
  'draft-2019-09': (allErrors) => new Ajv2019({ ...settings, allErrors }),
  'draft-07': (allErrors) => new Ajv({ ...settings, allErrors }),
};
/**
 * How many schemas one validator compiles. It keeps a part of each, also of one that is removed, for as long as it is used: tools that come and go
 * must not fill the memory.
 */
const mostSchemas = 1_000;
const validators = new Map<string, { readonly validator: Ajv; count: number }>();

function compile(
  given: JsonSchemaSource,
  maxParts: number,
): { check: ValidateFunction; checkAll: () => ValidateFunction; source: JsonObject } {
  const { $schema, $async: _, ...schema } = copy(given);
  const problems: string[] = [];
  for (const dialect of dialectsOf($schema)) {
    try {
      const counted = countSchemaWork(schema, maxParts);
      const check = compileIn(dialect, counted, false);
      let all: ValidateFunction | undefined;
      const checkAll = (): ValidateFunction => {
        all ??= compileIn(dialect, counted, true);
        return all;
      };
      return { check, checkAll, source: dialect === 'draft-07' ? toDraft2020(schema) : schema };
    } catch (thrown) {
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new ToolpactError('invalid_schema', `this JSON Schema cannot be used: ${problems[0]}`);
}

/** A schema of its own for each tool: later changes of the given object have no effect, and nothing in it runs. */
function copy(schema: JsonSchemaSource): Record<string, never> {
  let copied: unknown;
  try {
    copied = JSON.parse(JSON.stringify(schema));
  } catch {
    // Reported below.
  }
  if (isRecord(copied)) return copied as Record<string, never>;
  throw new ToolpactError('invalid_schema', 'this JSON Schema cannot be used: it is not a JSON object');
}

/** Without a word about its draft a schema is read as the latest, or as draft 07, which many generators still write. */
function dialectsOf(stated: unknown): readonly Dialect[] {
  const text = typeof stated === 'string' ? stated : '';
  if (/draft-0[67]/.test(text)) return ['draft-07'];
  if (text.includes('2019-09')) return ['draft-2019-09'];
  return ['draft-2020-12', 'draft-07'];
}

function compileIn(dialect: Dialect, schema: JsonObject, allErrors: boolean): ValidateFunction {
  const name = `${dialect} ${allErrors}`;
  const current = validators.get(name);
  const used =
    current !== undefined && current.count < mostSchemas ? current : { validator: addCounting(makers[dialect](allErrors)), count: 0 };
  used.count += 1;
  validators.set(name, used);
  try {
    return used.validator.compile(schema);
  } finally {
    used.validator.removeSchema(schema);
  }
}
