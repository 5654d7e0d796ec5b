import { lower, type SchemaTarget } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import type { Level } from '../define-check.ts';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';

interface Target {
  readonly target: SchemaTarget;
  readonly who: string;
  readonly level: Level;
  readonly limits?: Limits;
}

/** The documented limits of a provider for one schema. */
interface Limits {
  readonly properties: number;
  readonly levels: number;
  readonly enumValues: number;
  readonly characters: number;
}

const targets: readonly Target[] = [
  {
    target: 'openai-strict',
    who: 'OpenAI in strict mode',
    level: 'should',
    limits: { properties: 5_000, levels: 10, enumValues: 1_000, characters: 120_000 },
  },
  { target: 'gemini', who: 'Gemini', level: 'should' },
  { target: 'anthropic', who: 'Anthropic', level: 'must' },
  { target: 'mcp', who: 'MCP clients', level: 'must' },
];

/** One check for each whose rules a schema has to meet. */
export const toolPortableChecks: readonly ToolCheck[] = targets.map(({ target, who, level, limits }) =>
  defineToolCheck({
    id: `tools/portable-${target}`,
    group: 'portable',
    level,
    requirement: `The input schema can be given to ${who} without losing what it means.`,
    why: 'A schema that a provider does not take fails the whole request, with all tools in it, before any model has read a word.',
    fix: 'Make the root an object that is no union; say in fields of their own what not, if and patternProperties say; list the allowed fields; shorten long lists of values.',
    example: "z.object({ by: z.enum(['id', 'name']), value: z.string() })   // instead of z.union([…]) at the root",
    *run({ tool: { inputSchema } }) {
      try {
        const lowered = lower(inputSchema, target);
        if (limits !== undefined) for (const message of beyond(lowered, limits)) yield { message };
      } catch (thrown) {
        yield { message: thrown instanceof Error ? thrown.message : String(thrown) };
      }
    },
  }),
);

function beyond(schema: unknown, limits: Limits): string[] {
  const found: Limits = measure(schema, 0, { properties: 0, levels: 0, enumValues: 0, characters: 0 });
  const names: Readonly<Record<keyof Limits, string>> = {
    properties: 'fields',
    levels: 'levels of objects',
    enumValues: 'values in its lists of choices',
    characters: 'characters in its names and choices',
  };
  return (Object.keys(limits) as (keyof Limits)[]).flatMap((key) =>
    found[key] > limits[key] ? [`it has ${found[key]} ${names[key]}; at most ${limits[key]} are taken`] : [],
  );
}

type Counts = { -readonly [TKey in keyof Limits]: number };

function measure(part: unknown, level: number, counts: Counts): Counts {
  if (Array.isArray(part)) for (const item of part) measure(item, level, counts);
  if (!isRecord(part)) return counts;
  for (const [name, value] of Object.entries(part)) {
    if (name === 'enum' && Array.isArray(value)) {
      counts.enumValues += value.length;
      counts.characters += value.reduce<number>((sum, item) => sum + (JSON.stringify(item)?.length ?? 0), 0);
    } else if ((name === 'properties' || name === '$defs') && isRecord(value)) {
      const inner = name === 'properties' ? level + 1 : level;
      counts.levels = Math.max(counts.levels, inner);
      for (const [key, field] of Object.entries(value)) {
        counts.properties += name === 'properties' ? 1 : 0;
        counts.characters += key.length;
        measure(field, inner, counts);
      }
    } else measure(value, level, counts);
  }
  return counts;
}
