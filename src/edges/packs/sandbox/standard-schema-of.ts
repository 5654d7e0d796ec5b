import type { StandardIssue, StandardSchemaV1 } from '../../../core/contract/index.ts';
import type { JsonObject } from '../../../core/outcome/index.ts';

type Part = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/**
 * Makes a small JSON Schema a Standard Schema, with the keywords that these tools use and no others, so that the pack needs no schema
 * library. What is wrong is told to callers by the runtime, which reads the JSON Schema itself.
 */
export function standardSchemaOf<TValue>(schema: JsonObject): StandardSchemaV1<TValue, TValue> {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      jsonSchema: { input: () => structuredClone(schema), output: () => structuredClone(schema) },
      validate(value) {
        const issues = check(schema, value, []);
        return issues.length > 0 ? { issues } : { value: value as TValue };
      },
    },
  };
}

function check(part: Part, value: unknown, path: Path): StandardIssue[] {
  if (Array.isArray(part.anyOf)) {
    const tried = part.anyOf.map((branch: Part) => check(branch, value, path));
    // Of a union the branch is told that comes nearest.
    return tried.some((issues) => issues.length === 0) ? [] : (tried.sort((a, b) => depthOf(b) - depthOf(a))[0] ?? []);
  }
  const type = typeof part.type === 'string' ? types[part.type] : undefined;
  if (type !== undefined && !type(value)) return [{ path, message: `must be ${part.type}` }];
  const broken = rules.find(([keyword, keeps]) => part[keyword] !== undefined && !keeps(value as never, part[keyword] as never));
  if (broken !== undefined) return [{ path, message: `breaks ${broken[0]}` }];
  if (Array.isArray(value)) return value.flatMap((item, index) => check((part.items ?? {}) as Part, item, [...path, index]));
  return isObject(value) ? checkObject(part, value, path) : [];
}

function checkObject(part: Part, value: Part, path: Path): StandardIssue[] {
  const properties = (part.properties ?? {}) as Readonly<Record<string, Part>>;
  const required = (part.required ?? []) as readonly string[];
  return [
    ...required.filter((key) => value[key] === undefined).map((key) => ({ path: [...path, key], message: 'is required' })),
    ...Object.keys(value).flatMap((key) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (property === undefined) return part.additionalProperties === false ? [{ path: [...path, key], message: 'is not known' }] : [];
      return value[key] === undefined ? [] : check(property, value[key], [...path, key]);
    }),
  ];
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
};

const rules: readonly (readonly [keyword: string, keeps: (value: never, bound: never) => boolean])[] = [
  ['minLength', (value: string, bound: number) => value.length >= bound],
  ['maxLength', (value: string, bound: number) => value.length <= bound],
  ['pattern', (value: string, bound: string) => new RegExp(bound, 'u').test(value)],
  ['minItems', (value: readonly unknown[], bound: number) => value.length >= bound],
  ['maxItems', (value: readonly unknown[], bound: number) => value.length <= bound],
  ['minimum', (value: number, bound: number) => value >= bound],
  ['maximum', (value: number, bound: number) => value <= bound],
];

function depthOf(issues: readonly StandardIssue[]): number {
  return Math.max(...issues.map(({ path = [] }) => path.length));
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
